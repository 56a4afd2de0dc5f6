// cuBLAS, matrices: transposes, triangles, beta of zero with NaN, dimensions of zero, status codes of wrong arguments, batches.
// nvcc: -lcublas
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <limits>

#include "device_array.h"

using answers::Exact;
using answers::Array;
using answers::put;

const float nan_value = std::numeric_limits<float>::quiet_NaN();
const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T, C = CUBLAS_OP_C;

void products(cublasHandle_t h) {
  const float one = 1, zero = 0, two = 2;
  for (cublasOperation_t a : {N, T, C})
    for (cublasOperation_t b : {N, T}) {
      Array<float> x({1, 2, 3, 4, 5, 6, 7, 8, 9}), y({1, -1, 2, 0, 3, 1, -2, 1, 4}), z(9, 10.0f);
      std::string name = "gemm_" + std::to_string(a) + std::to_string(b);
      Exact{(name + "_status").c_str(), cublasSgemm(h, a, b, 2, 2, 3, &two, x, 3, y, 3, &one, z, 3)};
      put(name.c_str(), z);
    }
  Array<float> x({1, 2, 3, 4}), y({5, 6, 7, 8}), z(4, nan_value), bad(4, nan_value);
  Exact{"beta_zero_status", cublasSgemm(h, N, N, 2, 2, 2, &one, x, 2, y, 2, &zero, z, 2)};
  put("beta_zero", z);
  Exact{"alpha_zero_status", cublasSgemm(h, N, N, 2, 2, 2, &zero, bad, 2, y, 2, &two, z, 2)};
  put("alpha_zero", z);
  Exact{"both_zero_status", cublasSgemm(h, N, N, 2, 2, 2, &zero, bad, 2, bad, 2, &zero, z, 2)};
  put("both_zero", z);
  Array<float> k({1, 2, 3, 4});
  Exact{"k_zero_status", cublasSgemm(h, N, N, 2, 2, 0, &one, x, 2, y, 2, &two, k, 2)};
  put("k_zero", k);
  auto wrong = [&](const char* name, int m, int n, int depth, int lda, int ldb, int ldc) {
    Exact{name, cublasSgemm(h, N, N, m, n, depth, &one, x, lda, y, ldb, &zero, z, ldc)};
  };
  wrong("m_zero", 0, 2, 2, 2, 2, 2);
  wrong("m_zero_ld_one", 0, 2, 2, 1, 2, 1);
  wrong("m_zero_ld_zero", 0, 2, 2, 0, 2, 0);
  wrong("n_zero", 2, 0, 2, 2, 2, 2);
  wrong("m_negative", -1, 2, 2, 2, 2, 2);
  wrong("n_negative", 2, -1, 2, 2, 2, 2);
  wrong("k_negative", 2, 2, -1, 2, 2, 2);
  wrong("lda_small", 2, 2, 2, 1, 2, 2);
  wrong("ldb_small", 2, 2, 2, 2, 1, 2);
  wrong("ldc_small", 2, 2, 2, 2, 2, 1);
  Exact{"null_alpha", cublasSgemm(h, N, N, 2, 2, 2, nullptr, x, 2, y, 2, &zero, z, 2)};
  Exact{"null_beta", cublasSgemm(h, N, N, 2, 2, 2, &one, x, 2, y, 2, nullptr, z, 2)};
  Exact{"wrong_operation", cublasSgemm(h, static_cast<cublasOperation_t>(9), N, 2, 2, 2, &one, x, 2, y, 2, &zero, z, 2)};
  Exact{"no_handle", cublasSgemm(nullptr, N, N, 2, 2, 2, &one, x, 2, y, 2, &zero, z, 2)};
  Array<float2> c({{1, 2}, {3, 4}, {5, -6}, {7, 8}}), d({{0, 1}, {1, 0}, {2, -1}, {1, 1}}), e(4);
  const float2 c_one = {1, 0}, c_zero = {0, 0};
  Exact{"conjugate_status", cublasCgemm(h, C, T, 2, 2, 2, &c_one, c, 2, d, 2, &c_zero, e, 2)};
  put("conjugate", e);
  Exact{"gemm3m_status", cublasCgemm3m(h, N, C, 2, 2, 2, &c_one, c, 2, d, 2, &c_zero, e, 2)};
  put("gemm3m", e);
}

void level_two(cublasHandle_t h) {
  const double one = 1, zero = 0, two = 2;
  const std::vector<double> square = {2, 1, 3, 7, 5, 4, 8, 9, 6};
  Array<double> a(square), x({1, 2, 3}), y({4, 5, 6});
  Exact{"gemv_status", cublasDgemv(h, N, 3, 2, &one, a, 3, x, 2, &two, y, -1)};
  put("gemv", y);
  Exact{"gemv_transposed_status", cublasDgemv(h, T, 3, 3, &one, a, 3, x, 1, &zero, y, 1)};
  put("gemv_transposed", y);
  Exact{"gemv_zero_stride", cublasDgemv(h, N, 3, 3, &one, a, 3, x, 0, &zero, y, 1)};
  Exact{"ger_status", cublasDger(h, 3, 2, &two, x, 1, y, 1, a, 3)};
  put("ger", a);
  for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
    for (cublasDiagType_t unit : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
      for (cublasOperation_t operation : {N, T}) {
        std::string name = std::string("tr") + (fill ? "_upper" : "_lower") + (unit ? "_unit" : "") + (operation ? "_t" : "");
        Array<double> m(square), v({1, 2, 3}), w({1, 2, 3}), b({1, 2, 3, 4, 5, 6}), out(6);
        Exact{(name + "_status").c_str(), cublasDtrmv(h, fill, operation, unit, 3, m, 3, v, 1), cublasDtrsv(h, fill, operation, unit, 3, m, 3, w, 1),
              cublasDtrmm(h, CUBLAS_SIDE_LEFT, fill, operation, unit, 3, 2, &two, m, 3, b, 3, out, 3),
              cublasDtrsm(h, CUBLAS_SIDE_RIGHT, fill, operation, unit, 2, 3, &two, m, 3, b, 2)};
        put((name + "_mv").c_str(), v);
        put((name + "_sv").c_str(), w);
        put((name + "_mm").c_str(), out);
        put((name + "_sm").c_str(), b);
      }
  Array<double> s(square), p(3);
  Exact{"symv_status", cublasDsymv(h, CUBLAS_FILL_MODE_LOWER, 3, &one, s, 3, x, 1, &zero, p, 1)};
  put("symv", p);
  Exact{"syrk_status", cublasDsyrk(h, CUBLAS_FILL_MODE_UPPER, T, 2, 3, &one, a, 3, &two, s, 3)};
  put("syrk", s);
  Exact{"geam_status", cublasDgeam(h, T, N, 3, 3, &one, s, 3, &two, a, 3, s, 3)};
  Array<double> g(9);
  Exact{"geam_apart_status", cublasDgeam(h, T, N, 3, 3, &one, s, 3, &two, a, 3, g, 3)};
  put("geam", g);
  Exact{"dgmm_status", cublasDdgmm(h, CUBLAS_SIDE_RIGHT, 3, 3, a, 3, x, -1, g, 3)};
  put("dgmm", g);
  Exact{"wrong", cublasDtrsv(h, CUBLAS_FILL_MODE_FULL, N, CUBLAS_DIAG_UNIT, 3, a, 3, x, 1), cublasDgemv(h, N, 3, 3, &one, a, 2, x, 1, &zero, y, 1),
        cublasDgemv(h, N, -3, 3, &one, a, 3, x, 1, &zero, y, 1), cublasDgemv(h, N, 0, 3, &one, a, 3, x, 1, &zero, y, 1)};
}

void mixed(cublasHandle_t h) {
  std::vector<__half> ones(16, __float2half(1.5f));
  Array<__half> x(ones), y(ones), z(16);
  Array<float> f(16), g(16, 2.0f);
  Array<int8_t> i(std::vector<int8_t>(16, 100));
  Array<int> sums(16);
  const float one = 1, zero = 0;
  const int i_one = 1, i_zero = 0;
  Exact{"half_to_float_status", cublasGemmEx(h, N, N, 4, 4, 4, &one, x, CUDA_R_16F, 4, y, CUDA_R_16F, 4, &zero, f, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT)};
  put("half_to_float", f);
  Exact{"bytes_status", cublasGemmEx(h, T, N, 4, 4, 4, &i_one, i, CUDA_R_8I, 4, i, CUDA_R_8I, 4, &i_zero, sums, CUDA_R_32I, 4, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT)};
  put("bytes", sums);
  Exact{"wrong_types", cublasGemmEx(h, N, N, 4, 4, 4, &one, x, CUDA_R_16F, 4, g, CUDA_R_32F, 4, &zero, f, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        cublasGemmEx(h, N, N, 4, 4, 4, &one, x, CUDA_R_64F, 4, y, CUDA_R_64F, 4, &zero, z, CUDA_R_64F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        cublasGemmEx(h, N, N, 4, 4, 4, &one, x, CUDA_R_32F, 4, y, CUDA_R_32F, 4, &zero, z, CUDA_R_16F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        cublasGemmEx(h, N, N, 4, 4, 4, &one, x, CUDA_R_16F, 4, y, CUDA_R_16F, 4, &zero, z, CUDA_R_16F, 4, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT)};
  Array<float> a({1, 2, 3, 4, 5, 6, 7, 8}), b({1, 0, 0, 1, 2, 0, 0, 2}), c(8);
  Exact{"strided_status", cublasSgemmStridedBatched(h, N, N, 2, 2, 2, &one, a, 2, 4, b, 2, 0, &zero, c, 2, 4, 2)};
  put("strided", c);
  Exact{"strided_empty", cublasSgemmStridedBatched(h, N, N, 2, 2, 2, &one, a, 2, 4, b, 2, 0, &zero, c, 2, 4, 0),
        cublasSgemmStridedBatched(h, N, N, 2, 2, 2, &one, a, 2, 4, b, 2, 0, &zero, c, 2, 4, -1)};
  // The second matrix is singular
  Array<float> lu({1, 2, 3, 4, 1, 2, 2, 4});
  Array<float*> pointers({lu.data, lu.data + 4});
  Array<int> pivots(4), info(2, -5);
  Exact{"getrf_status", cublasSgetrfBatched(h, 2, pointers, 2, pivots, info, 2)};
  put("getrf", lu);
  put("getrf_pivots", pivots);
  put("getrf_info", info);
  Array<float> rhs({1, 2});
  Array<float*> sides({rhs.data});
  int host_info = -5;
  Exact{"getrs_status", cublasSgetrsBatched(h, N, 2, 1, const_cast<const float* const*>(pointers.data), 2, pivots, sides, 2, &host_info, 1), host_info};
  put("getrs", rhs);
  Exact{"getrs_wrong", cublasSgetrsBatched(h, N, -2, 1, const_cast<const float* const*>(pointers.data), 2, pivots, sides, 2, &host_info, 1), host_info};
}

int main() {
  cublasHandle_t handle;
  Exact{"create", cublasCreate(&handle)};
  products(handle);
  level_two(handle);
  mixed(handle);
  Exact{"destroy", cublasDestroy(handle)};
  return 0;
}
