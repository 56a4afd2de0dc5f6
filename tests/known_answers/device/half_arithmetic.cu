// half and half2: arithmetic, comparisons, minimum and maximum with NaN, saturation, fused multiply-add, functions.
#include <cuda_fp16.h>

#include <cmath>

#include "device/log.h"

using answers::Log;

__device__ const unsigned short patterns[40] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0xb800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x8001, 0x03ff, 0x0400, 0x83ff,
    0x3555, 0xb555, 0x4248, 0xc248, 0x6400, 0x6401, 0x6bff, 0x5640, 0xd640, 0x3c01, 0x3bff, 0x4500, 0x4501, 0xc500, 0x2e66, 0x0010,
    0x7800, 0xf800, 0x3a00, 0x4900, 0x1000, 0x5bff, 0x63d0, 0xb800};

__device__ unsigned bits(__half h) { return __hisnan(h) ? 0x7fffu : unsigned(__half_as_ushort(h)); }
__device__ unsigned bits2(__half2 h) { return bits(__low2half(h)) | bits(__high2half(h)) << 16; }

#define H1(f) log.all_bits(#f, bits(f(a)));
#define H2(f) log.all_bits(#f, bits(f(a, b)));
#define H3(f) log.all_bits(#f, bits(f(a, b, c)));
#define B1(f) log.all(#f, int(f(a)));
#define B2(f) log.all(#f, int(f(a, b)));

__global__ void scalars(Log log) {
  const int t = threadIdx.x;
  const __half a = __ushort_as_half(patterns[t]), b = __ushort_as_half(patterns[(t * 7 + 3) % 40]), c = __ushort_as_half(patterns[(t * 11 + 9) % 40]);
  H2(__hadd) H2(__hsub) H2(__hmul) H2(__hdiv) H2(__hadd_sat) H2(__hsub_sat) H2(__hmul_sat) H2(__hadd_rn) H2(__hsub_rn) H2(__hmul_rn)
  H3(__hfma) H3(__hfma_sat) H3(__hfma_relu) H1(__hneg) H1(__habs)
  H2(__hmax) H2(__hmin) H2(__hmax_nan) H2(__hmin_nan)
  B2(__heq) B2(__hne) B2(__hle) B2(__hge) B2(__hlt) B2(__hgt) B2(__hequ) B2(__hneu) B2(__hleu) B2(__hgeu) B2(__hltu) B2(__hgtu)
  B1(__hisnan) B1(__hisinf)
  H1(hceil) H1(hfloor) H1(htrunc) H1(hrint) H1(hsqrt)
  log.all_bits("operator+", bits(a + b));
  log.all_bits("operator-", bits(a - b));
  log.all_bits("operator*", bits(a * b));
  log.all_bits("operator/", bits(a / b));
  log.all_bits("unary-", bits(-a));
  __half d = a;
  d += b;
  d *= c;
  log.all_bits("compound", bits(d));
  d = a;
  ++d;
  log.all_bits("increment", bits(d));
  log.all("operator<", int(a < b) + 2 * int(a <= b) + 4 * int(a == b) + 8 * int(a != b) + 16 * int(a > b) + 32 * int(a >= b));
  log.all("to_bool", int(bool(a)));
  log.all_bits("a*b+c", bits(a * b + c));
}

__global__ void functions(Log log) {
  const __half a = __ushort_as_half(patterns[threadIdx.x]);
  const float x = __half2float(a);
  const bool plain = fabsf(x) < 10.0f && fabsf(x) > 0.001f;
#define NEAR(f) log.all_near(#f, 0.002, plain ? __half2float(f(a)) : 0.0f);
#define NEAR_POSITIVE(f) log.all_near(#f, 0.002, plain && x > 0 ? __half2float(f(a)) : 0.0f);
  NEAR(hexp) NEAR(hexp2) NEAR(hexp10) NEAR(hsin) NEAR(hcos) NEAR(hrcp) NEAR(htanh)
  NEAR_POSITIVE(hlog) NEAR_POSITIVE(hlog2) NEAR_POSITIVE(hlog10) NEAR_POSITIVE(hrsqrt)
  const bool special = x == 0 || isnan(x) || isinf(x);
#define SPECIAL(f) log.all_bits("special:" #f, special ? bits(f(a)) : 0u);
  SPECIAL(hexp) SPECIAL(hexp2) SPECIAL(hexp10) SPECIAL(hsin) SPECIAL(hcos) SPECIAL(hrcp) SPECIAL(hlog) SPECIAL(hlog2) SPECIAL(hlog10)
  SPECIAL(hrsqrt) SPECIAL(htanh)
}

__global__ void pairs(Log log) {
  const int t = threadIdx.x;
  const __half2 a = __halves2half2(__ushort_as_half(patterns[t]), __ushort_as_half(patterns[(t + 1) % 40])),
                b = __halves2half2(__ushort_as_half(patterns[(t * 7 + 3) % 40]), __ushort_as_half(patterns[(t * 9 + 2) % 40])),
                c = __halves2half2(__ushort_as_half(patterns[(t * 3 + 5) % 40]), __ushort_as_half(patterns[(t * 11 + 7) % 40]));
#define P1(f) log.all_bits(#f, bits2(f(a)));
#define P2(f) log.all_bits(#f, bits2(f(a, b)));
#define P3(f) log.all_bits(#f, bits2(f(a, b, c)));
  P2(__hadd2) P2(__hsub2) P2(__hmul2) P2(__h2div) P2(__hadd2_sat) P2(__hsub2_sat) P2(__hmul2_sat) P3(__hfma2) P3(__hfma2_sat)
  P3(__hfma2_relu) P3(__hcmadd) P1(__hneg2) P1(__habs2) P2(__hmax2) P2(__hmin2) P2(__hmax2_nan) P2(__hmin2_nan)
  P2(__heq2) P2(__hne2) P2(__hle2) P2(__hge2) P2(__hlt2) P2(__hgt2) P2(__hequ2) P2(__hneu2) P2(__hleu2) P2(__hgeu2) P2(__hltu2) P2(__hgtu2)
  B2(__hbeq2) B2(__hbne2) B2(__hble2) B2(__hbge2) B2(__hblt2) B2(__hbgt2) B2(__hbequ2) B2(__hbneu2) B2(__hbleu2) B2(__hbgeu2)
  B2(__hbltu2) B2(__hbgtu2) P1(__hisnan2) P1(h2ceil) P1(h2floor) P1(h2trunc) P1(h2rint) P1(h2sqrt) P1(__lowhigh2highlow)
#define M(f) log.all_bits(#f, f(a, b));
  M(__heq2_mask) M(__hne2_mask) M(__hle2_mask) M(__hge2_mask) M(__hlt2_mask) M(__hgt2_mask) M(__hequ2_mask) M(__hneu2_mask) M(__hltu2_mask)
  log.all_bits("__low2half2", bits2(__low2half2(a)));
  log.all_bits("__high2half2", bits2(__high2half2(a)));
  log.all_bits("__lows2half2", bits2(__lows2half2(a, b)));
  log.all_bits("__highs2half2", bits2(__highs2half2(a, b)));
  log.all_bits("pair+", bits2(a + b));
  log.all_bits("pair/", bits2(a / b));
  log.all("pair==", int(a == b) + 2 * int(a < b) + 4 * int(a != b));
  log.all_bits("__half2half2", bits2(__half2half2(__low2half(a))));
}

int main() {
  Log log = answers::new_log();
  scalars<<<1, 40>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  functions<<<1, 40>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  pairs<<<1, 40>>>(log);
  answers::print_log(log);
}
