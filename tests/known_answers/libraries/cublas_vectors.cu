// cuBLAS, vectors: strides, indices of extrema, rotations, pointer modes, status codes.
// nvcc: -lcublas
#include <cublas_v2.h>

#include <limits>

#include "device_array.h"

using answers::Exact;
using answers::Near;
using answers::Array;
using answers::put;

const float nan_value = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

void extrema(cublasHandle_t h) {
  int place = -1;
  auto both = [&](const char* name, std::vector<float> host, int n, int stride) {
    Array<float> x(host);
    int max = -1, min = -1;
    int a = cublasIsamax(h, n, x, stride, &max), b = cublasIsamin(h, n, x, stride, &min);
    Exact{name, a, max, b, min};
  };
  both("ties", {1, -7, 7, 1, -7, 2}, 6, 1);
  both("stride", {1, -7, 7, 1, -3, 2}, 3, 2);
  both("negative_stride", {1, -7, 7}, 3, -1);
  both("zero_stride", {1, -7, 7}, 3, 0);
  both("empty", {1}, 0, 1);
  both("negative_count", {1}, -2, 1);
  both("nan_first", {nan_value, 3, 1}, 3, 1);
  both("nan_middle", {2, nan_value, 3, 1}, 4, 1);
  both("nan_last", {2, 3, nan_value}, 3, 1);
  both("infinite", {2, -infinity, infinity}, 3, 1);
  both("zeros", {-0.0f, 0, 0}, 3, 1);
  Array<float2> c({{3, -4}, {0, 6}, {-5, 1}});
  Exact{"complex_max", cublasIcamax(h, 3, c, 1, &place), place};
  Exact{"complex_min", cublasIcamin(h, 3, c, 1, &place), place};
  float sum = -1;
  Exact{"complex_sum", cublasScasum(h, 3, c, 1, &sum), sum};
  Near{"complex_norm", 1e-6, cublasScnrm2(h, 3, c, 1, &sum), sum};
}

void sums(cublasHandle_t h) {
  auto norms = [&](const char* name, std::vector<float> host, int n, int stride) {
    Array<float> x(host);
    float norm = -1, sum = -1;
    int a = cublasSnrm2(h, n, x, stride, &norm), b = cublasSasum(h, n, x, stride, &sum);
    Near{name, 1e-6, a, norm, b, sum};
  };
  norms("norm", {3, -4, 12}, 3, 1);
  norms("norm_large", {1e30f, 1e30f}, 2, 1);
  norms("norm_small", {1e-30f, 1e-30f}, 2, 1);
  norms("norm_empty", {1}, 0, 1);
  norms("norm_negative", {1}, -1, 1);
  norms("norm_stride", {3, 9, 4}, 2, 2);
  norms("norm_zero_stride", {3, 9, 4}, 2, 0);
  norms("norm_negative_stride", {3, 9, 4}, 3, -1);
  norms("norm_nan", {nan_value, 1}, 2, 1);
  norms("norm_infinite", {infinity, 1}, 2, 1);
  Array<float> x({1, 2, 3, 4}), y({5, 6, 7, 8});
  float dot = -1;
  Exact{"dot", cublasSdot(h, 4, x, 1, y, 1, &dot), dot};
  Exact{"dot_reversed", cublasSdot(h, 4, x, 1, y, -1, &dot), dot};
  Exact{"dot_strides", cublasSdot(h, 2, x, 2, y, 3, &dot), dot};
  Exact{"dot_zero_stride", cublasSdot(h, 4, x, 0, y, 1, &dot), dot};
  Exact{"dot_empty", cublasSdot(h, 0, x, 1, y, 1, &dot), dot};
  Array<float2> c({{1, 2}, {3, -1}}), d({{0, 1}, {2, 2}});
  float2 product = {-1, -1};
  Exact{"dotu", cublasCdotu(h, 2, c, 1, d, 1, &product), product.x, product.y};
  Exact{"dotc", cublasCdotc(h, 2, c, 1, d, 1, &product), product.x, product.y};
}

void updates(cublasHandle_t h) {
  float alpha = 2, zero = 0;
  Array<float> x({1, 2, 3, 4}), y({10, 20, 30, 40}), z({nan_value, infinity, 1});
  Exact{"axpy_reversed_status", cublasSaxpy(h, 4, &alpha, x, -1, y, 1)};
  put("axpy_reversed", y);
  Exact{"axpy_zero_stride_status", cublasSaxpy(h, 4, &alpha, x, 0, y, 1)};
  put("axpy_zero_stride", y);
  Exact{"axpy_zero_status", cublasSaxpy(h, 3, &zero, z, 1, y, 1)};
  put("axpy_zero_nan", y);
  Exact{"scal_zero_status", cublasSscal(h, 3, &zero, z, 1)};
  put("scal_zero_nan", z);
  Exact{"scal_negative_stride_status", cublasSscal(h, 2, &alpha, x, -1)};
  put("scal_negative_stride", x);
  Exact{"scal_stride_status", cublasSscal(h, 2, &alpha, x, 2)};
  put("scal_stride", x);
  Exact{"copy_status", cublasScopy(h, 3, x, 1, y, -1)};
  put("copy", y);
  Exact{"swap_status", cublasSswap(h, 2, x, 2, y, 1)};
  put("swap_x", x);
  put("swap_y", y);
  Array<double> p({1, 2, 3}), q({4, 5, 6});
  double c = 0.6, s = 0.8;
  Exact{"rot_status", cublasDrot(h, 3, p, 1, q, 1, &c, &s)};
  put("rot_x", p);
  put("rot_y", q);
}

void rotations(cublasHandle_t h) {
  const double pairs[][2] = {{3, 4}, {4, 3}, {-3, 4}, {0, 5}, {5, 0}, {0, 0}, {-4, -3}, {1e300, 1e300}};
  int number = 0;
  for (const auto& pair : pairs) {
    double a = pair[0], b = pair[1], c = -9, s = -9;
    int status = cublasDrotg(h, &a, &b, &c, &s);
    Near{("rotg_" + std::to_string(number++)).c_str(), 1e-12, status, a, b, c, s};
  }
  float2 a = {3, 4}, b = {1, -2}, s = {0, 0};
  float c = 0;
  int status = cublasCrotg(h, &a, &b, &c, &s);
  Near{"crotg", 1e-5, status, a.x, a.y, c, s.x, s.y};
  const float cases[][4] = {{2, 3, 4, 5}, {1, 1, 0, 3}, {0, 1, 1, 1}, {1, -1, 1, 1}, {1, 1, 1, 1e9f}, {4, 0.25f, 1, 3}};
  number = 0;
  for (const auto& value : cases) {
    float d1 = value[0], d2 = value[1], x1 = value[2], y1 = value[3], param[5] = {-7, -7, -7, -7, -7};
    status = cublasSrotmg(h, &d1, &d2, &x1, &y1, param);
    Near{("rotmg_" + std::to_string(number++)).c_str(), 1e-5, status, d1, d2, x1, param[0], param[1], param[2], param[3], param[4]};
  }
}

void states(cublasHandle_t h) {
  Array<float> x({1, 2, 3}), y({1, 2, 3}), result(1), alpha({3.0f});
  float one = 1, value = -1;
  cublasPointerMode_t mode;
  Exact{"pointer_mode", cublasGetPointerMode(h, &mode), mode};
  Exact{"pointer_mode_device", cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE)};
  Exact{"device_dot", cublasSdot(h, 3, x, 1, y, 1, result), cublasSaxpy(h, 3, alpha, x, 1, y, 1)};
  put("device_dot_value", result);
  put("device_axpy", y);
  Array<int> place(1);
  Exact{"device_amax", cublasIsamax(h, 3, y, 1, place)};
  put("device_amax_place", place);
  Exact{"pointer_mode_host", cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST)};
  Exact{"pointer_mode_wrong", cublasSetPointerMode(h, static_cast<cublasPointerMode_t>(7))};
  Exact{"no_handle", cublasSdot(nullptr, 3, x, 1, y, 1, &value), cublasSaxpy(nullptr, 3, &one, x, 1, y, 1),
        cublasSetStream(nullptr, nullptr), cublasDestroy(nullptr)};
  Exact{"no_result", cublasSaxpy(h, 0, &one, nullptr, 1, nullptr, 1), cublasSaxpy(h, -1, &one, x, 1, y, 1)};
  cublasAtomicsMode_t atomics;
  Exact{"atomics", cublasGetAtomicsMode(h, &atomics), atomics};
  cublasMath_t math;
  Exact{"math", cublasGetMathMode(h, &math), math, cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH), cublasGetMathMode(h, &math),
        math};
  Exact{"math_wrong", cublasSetMathMode(h, static_cast<cublasMath_t>(77))};
  Exact{"math_flags", cublasSetMathMode(h, static_cast<cublasMath_t>(CUBLAS_PEDANTIC_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)),
        cublasGetMathMode(h, &math), math};
  Exact{"workspace_none", cublasSetWorkspace(h, nullptr, 0)};
  for (int code : {0, 1, 3, 7, 8, 11, 13, 14, 15, 16, 99})
    Exact{("status_" + std::to_string(code)).c_str(), cublasGetStatusName(cublasStatus_t(code)), cublasGetStatusString(cublasStatus_t(code))};
  float host[6] = {1, 2, 3, 4, 5, 6}, back[6] = {};
  Array<float> matrix(6);
  Exact{"set_matrix", cublasSetMatrix(2, 2, sizeof(float), host, 3, matrix, 2), cublasGetMatrix(2, 2, sizeof(float), matrix, 2, back, 2)};
  Exact{"got_matrix", back[0], back[1], back[2], back[3]};
  Exact{"set_vector", cublasSetVector(2, sizeof(float), host, 2, matrix, 3), cublasGetVector(2, sizeof(float), matrix, 3, back, 1), back[0], back[1]};
  Exact{"set_wrong", cublasSetMatrix(4, 1, 4, host, 3, matrix, 4), cublasSetVector(-1, 4, host, 1, matrix, 1),
        cublasSetVector(1, 0, host, 1, matrix, 1), cublasSetVector(2, 4, host, 0, matrix, 1)};
}

int main() {
  cublasHandle_t handle;
  Exact{"create", cublasCreate(&handle)};
  extrema(handle);
  sums(handle);
  updates(handle);
  rotations(handle);
  states(handle);
  Exact{"destroy", cublasDestroy(handle)};
  return 0;
}
