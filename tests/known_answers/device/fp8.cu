// 8-bit floating-point numbers: all 256 values of both formats, conversions from float, double, half, bfloat16 and integers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>

#include "device/log.h"

using answers::Log;

__device__ const double numbers[64] = {
    0.0, -0.0, 1.0, -1.0, 1.0625, 1.1875, 1.125, 1.3125, -1.0625, 447.0, 448.0, 449.0, 464.0, 464.01, 465.0, 480.0, 500.0, -448.0, -465.0, -1000.0,
    57344.0, 57345.0, 61439.0, 61440.0, 61441.0, 65504.0, 65536.0, -61440.0, -70000.0, 1e30, -1e30, INFINITY, -INFINITY, NAN,
    0.015625, 0.0146, 0.001953125, 0.0009765625, 0.00097656251, 0.0009765, 0.0029296875, 0.003, -0.0009765625, -0.002,
    6.1035156e-5, 1.5258789e-5, 7.6293945e-6, 7.6293946e-6, 7.6e-6, 2.2888184e-5, 1e-10, 1e-40, 3.5, 4.5, 6.5, 7.5, 17.0, 19.0, 25.0, 0.1, 0.3, 100.0, 200.5, 1e-320};

__global__ void decode(Log log, int first) {
  const int code = first + threadIdx.x;
  const char* e4m3[] = {"e4m3:0", "e4m3:64", "e4m3:128", "e4m3:192"};
  const char* e5m2[] = {"e5m2:0", "e5m2:64", "e5m2:128", "e5m2:192"};
  const char* half4[] = {"e4m3>half:0", "e4m3>half:64", "e4m3>half:128", "e4m3>half:192"};
  __nv_fp8_e4m3 a;
  a.__x = __nv_fp8_storage_t(code);
  __nv_fp8_e5m2 b;
  b.__x = __nv_fp8_storage_t(code);
  log.all(e4m3[first / 64], float(a));
  log.all(e5m2[first / 64], float(b));
  const __half h = __half(__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(code), __NV_E4M3));
  log.all(half4[first / 64], __half2float(h));
}

__global__ void encode(Log log) {
  const double d = numbers[threadIdx.x];
  const float f = float(d);
  log.all_bits("float>e4m3:satfinite", __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3));
  log.all_bits("float>e4m3:nosat", __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E4M3));
  log.all_bits("float>e5m2:satfinite", __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2));
  log.all_bits("float>e5m2:nosat", __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E5M2));
  log.all_bits("double>e4m3:satfinite", __nv_cvt_double_to_fp8(d, __NV_SATFINITE, __NV_E4M3));
  log.all_bits("double>e4m3:nosat", __nv_cvt_double_to_fp8(d, __NV_NOSAT, __NV_E4M3));
  log.all_bits("double>e5m2:satfinite", __nv_cvt_double_to_fp8(d, __NV_SATFINITE, __NV_E5M2));
  log.all_bits("double>e5m2:nosat", __nv_cvt_double_to_fp8(d, __NV_NOSAT, __NV_E5M2));
  const __half h = __float2half(f);
  const __nv_bfloat16 b = __float2bfloat16(f);
  log.all_bits("half>e4m3:satfinite", __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E4M3));
  log.all_bits("half>e4m3:nosat", __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E4M3));
  log.all_bits("half>e5m2:satfinite", __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E5M2));
  log.all_bits("half>e5m2:nosat", __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E5M2));
  log.all_bits("bfloat16>e4m3:satfinite", __nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, __NV_E4M3));
  log.all_bits("bfloat16>e5m2:nosat", __nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, __NV_E5M2));
  log.all_bits("float2>e4m3x2", __nv_cvt_float2_to_fp8x2(make_float2(f, -f * 0.5f), __NV_SATFINITE, __NV_E4M3));
  log.all_bits("float2>e5m2x2", __nv_cvt_float2_to_fp8x2(make_float2(f, -f * 0.5f), __NV_NOSAT, __NV_E5M2));
  log.all_bits("constructed_e4m3(float)", __nv_fp8_e4m3(f).__x);
  log.all_bits("constructed_e5m2(float)", __nv_fp8_e5m2(f).__x);
  log.all_bits("constructed_e4m3(half)", __nv_fp8_e4m3(h).__x);
  log.all_bits("constructed_e5m2(bfloat16)", __nv_fp8_e5m2(b).__x);
  log.all_bits("constructed_e4m3(double)", __nv_fp8_e4m3(d).__x);
}

__global__ void integers(Log log) {
  const int n = int(threadIdx.x) * 37 - 700;
  log.all_bits("int>e4m3", __nv_fp8_e4m3(n).__x);
  log.all_bits("int>e5m2", __nv_fp8_e5m2(n * 100).__x);
  log.all_bits("uint>e4m3", __nv_fp8_e4m3(unsigned(n)).__x);
  log.all_bits("short>e5m2", __nv_fp8_e5m2(short(n)).__x);
  log.all_bits("int64>e4m3", __nv_fp8_e4m3((long long)n).__x);
  __nv_fp8_e4m3 e;
  e.__x = __nv_fp8_storage_t(threadIdx.x * 4 + 3);
  __nv_fp8_e5m2 g;
  g.__x = __nv_fp8_storage_t(threadIdx.x * 4 + 3);
  log.all("e4m3>int", int(e));
  log.all("e5m2>int", int(g));
  log.all("e4m3>uint", unsigned(e));
  log.all("e5m2>uint64", (unsigned long long)(g));
  log.all("e4m3>char", (signed char)(e));
  log.all("e5m2>uchar", (unsigned char)(g));
  log.all("e5m2>short", short(g));
  log.all("e4m3>double", double(e));
  log.all("e5m2>half", __half2float(__half(g)));
  log.all("e4m3>bool", int(bool(e)));
  __nv_fp8x2_e4m3 pair(make_float2(float(n), 0.25f * n));
  const float2 two = float2(pair);
  log.all("fp8x2.x", two.x);
  log.all("fp8x2.y", two.y);
  __nv_fp8x4_e5m2 quad(make_float4(float(n), 0.5f * n, 3.3f * n, 1e-3f * n));
  const float4 four = float4(quad);
  log.all("fp8x4.x", four.x);
  log.all("fp8x4.z", four.z);
  log.all("fp8x4.w", four.w);
}

int main() {
  Log log = answers::new_log();
  encode<<<1, 64>>>(log);
  answers::print_log(log);
  for (int first = 0; first < 256; first += 64) {
    log = answers::new_log();
    decode<<<1, 64>>>(log, first);
    answers::print_log(log);
  }
  log = answers::new_log();
  integers<<<1, 64>>>(log);
  answers::print_log(log);
}
