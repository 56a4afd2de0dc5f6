// cuFFT: transforms of all types, ranks and lengths, strides and batches, and status codes.
// nvcc: -lcufft
#include <cufft.h>

#include "device_array.h"

using answers::Exact;
using answers::Array;
using answers::put;

template <class T>
std::vector<T> signal(int n) {
  std::vector<T> values(n);
  for (int i = 0; i < n; i++) {
    values[i].x = static_cast<float>((i * 7 + 3) % 11) / 4 - 1;
    values[i].y = static_cast<float>((i * 5 + 1) % 13) / 8;
  }
  return values;
}

void lengths() {
  for (int n : {1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 17}) {
    std::string name = "z2z_" + std::to_string(n);
    cufftHandle plan;
    int made = cufftPlan1d(&plan, n, CUFFT_Z2Z, 1);
    Array<double2> x(signal<double2>(n)), y(n);
    Exact{(name + "_status").c_str(), made, cufftExecZ2Z(plan, x, y, CUFFT_FORWARD), cufftExecZ2Z(plan, y, x, CUFFT_INVERSE), cufftDestroy(plan)};
    put(name.c_str(), y);
    put((name + "_inverse").c_str(), x);
  }
}

void reals() {
  for (int n : {1, 2, 5, 8}) {
    std::string name = "d2z_" + std::to_string(n);
    std::vector<double> host(n);
    for (int i = 0; i < n; i++) host[i] = (i * 3 + 1) % 7;
    Array<double> x(host), back(n);
    Array<double2> y(n / 2 + 1);
    cufftHandle forward, inverse;
    Exact{(name + "_plans").c_str(), cufftPlan1d(&forward, n, CUFFT_D2Z, 1), cufftPlan1d(&inverse, n, CUFFT_Z2D, 1)};
    Exact{(name + "_status").c_str(), cufftExecD2Z(forward, x, y)};
    put(name.c_str(), y);
    Exact{(name + "_inverse_status").c_str(), cufftExecZ2D(inverse, y, back)};
    put((name + "_inverse").c_str(), back);
    Exact{(name + "_destroyed").c_str(), cufftDestroy(forward), cufftDestroy(inverse)};
  }
  // The imaginary parts of the first and the middle element have no effect
  Array<double2> y({{1, 5}, {2, 1}, {3, 7}});
  Array<double> x(4);
  cufftHandle plan;
  Exact{"z2d_imaginary_status", cufftPlan1d(&plan, 4, CUFFT_Z2D, 1), cufftExecZ2D(plan, y, x), cufftDestroy(plan)};
  put("z2d_imaginary", x);
}

void ranks() {
  cufftHandle plan;
  Array<float2> x(signal<float2>(24)), y(24);
  Exact{"c2c_2d_status", cufftPlan2d(&plan, 4, 6, CUFFT_C2C), cufftExecC2C(plan, x, y, CUFFT_FORWARD), cufftDestroy(plan)};
  put("c2c_2d", y);
  Exact{"c2c_3d_status", cufftPlan3d(&plan, 2, 3, 4, CUFFT_C2C), cufftExecC2C(plan, x, y, CUFFT_INVERSE), cufftDestroy(plan)};
  put("c2c_3d", y);
  std::vector<float> host(12);
  for (int i = 0; i < 12; i++) host[i] = static_cast<float>(i * i % 10);
  Array<float> r(host), back(12);
  Array<float2> half(9);
  Exact{"r2c_2d_status", cufftPlan2d(&plan, 3, 4, CUFFT_R2C), cufftExecR2C(plan, r, half), cufftDestroy(plan)};
  put("r2c_2d", half);
  Exact{"c2r_2d_status", cufftPlan2d(&plan, 3, 4, CUFFT_C2R), cufftExecC2R(plan, half, back), cufftDestroy(plan)};
  put("c2r_2d", back);
}

void layouts() {
  cufftHandle plan;
  int n[1] = {4}, embed[1] = {4};
  Array<float2> x(signal<float2>(30)), y(30);
  // Two transforms, elements two apart; results are transposed
  Exact{"many_status", cufftPlanMany(&plan, 1, n, embed, 2, 9, embed, 3, 1, CUFFT_C2C, 3), cufftExecC2C(plan, x, y, CUFFT_FORWARD), cufftDestroy(plan)};
  put("many", y);
  // Without embed the strides have no effect
  Array<float2> z(30);
  Exact{"no_embed_status", cufftPlanMany(&plan, 1, n, nullptr, 2, 9, nullptr, 3, 1, CUFFT_C2C, 3), cufftExecC2C(plan, x, z, CUFFT_FORWARD), cufftDestroy(plan)};
  put("no_embed", z);
  int n2[2] = {2, 4}, in[2] = {3, 5}, out[2] = {2, 3};
  std::vector<float> host(15);
  for (int i = 0; i < 15; i++) host[i] = static_cast<float>(i % 6);
  Array<float> r(host);
  Array<float2> half(6);
  Exact{"embed_2d_status", cufftPlanMany(&plan, 2, n2, in, 1, 15, out, 1, 6, CUFFT_R2C, 1), cufftExecR2C(plan, r, half), cufftDestroy(plan)};
  put("embed_2d", half);
  // In place, real rows padded to 2 (n / 2 + 1)
  Array<float> padded({1, 2, 3, 4, 0, 0});
  Exact{"in_place_status", cufftPlan1d(&plan, 4, CUFFT_R2C, 1), cufftExecR2C(plan, padded, reinterpret_cast<cufftComplex*>(padded.data)), cufftDestroy(plan)};
  put("in_place", padded);
}

void states() {
  cufftHandle plan = 12345;
  Exact{"no_plan", cufftExecC2C(12345, nullptr, nullptr, CUFFT_FORWARD), cufftDestroy(12345), cufftSetStream(12345, nullptr)};
  Exact{"length_zero", cufftPlan1d(&plan, 0, CUFFT_C2C, 1)};
  Exact{"length_negative", cufftPlan1d(&plan, -4, CUFFT_C2C, 1)};
  Exact{"batch_zero", cufftPlan1d(&plan, 4, CUFFT_C2C, 0)};
  Exact{"batch_negative", cufftPlan1d(&plan, 4, CUFFT_C2C, -1)};
  Exact{"wrong_type", cufftPlan1d(&plan, 4, static_cast<cufftType>(1), 1)};
  int n[4] = {2, 2, 2, 2};
  Exact{"rank_zero", cufftPlanMany(&plan, 0, n, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1)};
  Exact{"rank_four", cufftPlanMany(&plan, 4, n, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1)};
  Exact{"wrong_2d", cufftPlan2d(&plan, 4, 0, CUFFT_C2C), cufftPlan3d(&plan, 4, 4, -1, CUFFT_C2C)};
  Array<float2> x(8), y(8);
  Exact{"plan", cufftPlan1d(&plan, 8, CUFFT_C2C, 1)};
  Exact{"direction", cufftExecC2C(plan, x, y, 0), cufftExecC2C(plan, x, y, 2)};
  Exact{"other_type", cufftExecZ2Z(plan, reinterpret_cast<double2*>(x.data), reinterpret_cast<double2*>(y.data), CUFFT_FORWARD),
        cufftExecR2C(plan, reinterpret_cast<float*>(x.data), y)};
  size_t size = 99;
  Exact{"made_twice", cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size)};
  Exact{"destroy", cufftDestroy(plan), cufftDestroy(plan)};
  Exact{"created", cufftCreate(&plan)};
  Exact{"not_made", cufftExecC2C(plan, x, y, CUFFT_FORWARD), cufftGetSize(plan, &size)};
  Exact{"no_auto_allocation", cufftSetAutoAllocation(plan, 0), cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size), cufftSetAutoAllocation(plan, 1)};
  Exact{"destroyed", cufftDestroy(plan)};
  Exact{"last_error", cudaGetLastError()};
  Exact{"plan_again", cufftPlan1d(&plan, 8, CUFFT_C2C, 1)};
  Exact{"null_data", cufftExecC2C(plan, nullptr, y, CUFFT_FORWARD), cufftExecC2C(plan, x, nullptr, CUFFT_FORWARD)};
}

int main() {
  lengths();
  reals();
  ranks();
  layouts();
  states();
  return 0;
}
