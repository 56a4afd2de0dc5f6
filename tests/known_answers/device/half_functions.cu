// half2 and bfloat16 pairs: approximate functions, conversions of pairs, constants, mixed operators, shuffles of structures.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "device/log.h"

using answers::Log;

__device__ const float numbers[24] = {0.1f, 0.25f, 0.5f, 0.75f, 1.0f, 1.5f, 2.0f, 2.5f, 3.0f, 4.0f, 5.0f, 6.5f, 7.0f, 8.0f, 0.01f, 0.03f, 9.0f, 10.0f, 0.9f, 1.1f, 1.9f, 3.3f, 5.5f, 7.7f};

#define PAIR(f) { const __half2 r = f(x); log.all_near(#f, 2e-3, __low2float(r) + 0.5f * __high2float(r)); }
#define BRAIN(f) { const __nv_bfloat162 r = f(b); log.all_near("bf16_" #f, 2e-2, __low2float(r) + 0.5f * __high2float(r)); }

__global__ void functions(Log log) {
  const int t = threadIdx.x;
  const __half2 x = __floats2half2_rn(numbers[t], numbers[(t + 7) % 24]);
  const __nv_bfloat162 b = __floats2bfloat162_rn(numbers[t], numbers[(t + 7) % 24]);
  PAIR(h2exp) PAIR(h2exp2) PAIR(h2log) PAIR(h2log2) PAIR(h2log10) PAIR(h2sin) PAIR(h2cos) PAIR(h2rcp) PAIR(h2rsqrt) PAIR(h2sqrt)
  BRAIN(h2exp) BRAIN(h2exp2) BRAIN(h2log) BRAIN(h2log2) BRAIN(h2log10) BRAIN(h2sin) BRAIN(h2cos) BRAIN(h2rcp) BRAIN(h2rsqrt) BRAIN(h2sqrt)
  const float2 back = __half22float2(x), brain = __bfloat1622float2(b);
  log.all("half22float2", back.x + back.y * 64);
  log.all("bfloat1622float2", brain.x + brain.y * 64);
  log.all("make_half2", __high2float(make_half2(__low2half(x), __float2half(2.0f))));
  log.all("make_bfloat162", __low2float(make_bfloat162(__low2bfloat16(b), __float2bfloat16(2.0f))));
  const __half h = __low2half(x);
  log.all("half+int", float(h + __half(2)));
  log.all("half*float", float(h) * 2.0f);
  log.all("half_function", __half2float(__hfma(h, h, h)));
  log.all("half_min", __half2float(__hmin(h, __float2half(1.0f))));
  __half stored[4];
  stored[t % 4] = h;
  log.all("stored", __half2float(stored[t % 4]));
  log.all_bits("float2half2", __half_as_ushort(__high2half(__float2half2_rn(numbers[t]))));
  log.all_bits("half_as_short", (unsigned short)__half_as_short(__hneg(h)));
  log.all_bits("short_as_half", __half_as_ushort(__short_as_half(short(t * 1000))));
  log.all_bits("bfloat16_as_short", (unsigned short)__bfloat16_as_short(__hneg(__low2bfloat16(b))));
  log.one_bits("CUDART_INF_FP16", __half_as_ushort(CUDART_INF_FP16));
  log.one_bits("CUDART_NAN_FP16", __half_as_ushort(CUDART_NAN_FP16));
  log.one_bits("CUDART_MAX_NORMAL_FP16", __half_as_ushort(CUDART_MAX_NORMAL_FP16));
  log.one_bits("CUDART_MIN_DENORM_FP16", __half_as_ushort(CUDART_MIN_DENORM_FP16));
  log.one_bits("CUDART_NEG_ZERO_FP16", __half_as_ushort(CUDART_NEG_ZERO_FP16));
  log.one_bits("CUDART_ONE_FP16", __half_as_ushort(CUDART_ONE_FP16));
  log.one_bits("CUDART_MAX_NORMAL_BF16", __bfloat16_as_ushort(CUDART_MAX_NORMAL_BF16));
  log.one_bits("CUDART_MIN_DENORM_BF16", __bfloat16_as_ushort(CUDART_MIN_DENORM_BF16));
  log.one("sizes", int(sizeof(__half)) * 1000 + int(sizeof(__half2)) * 100 + int(alignof(__half2)) * 10 + int(alignof(__nv_bfloat162)));
  log.one("sizes_raw", int(sizeof(__half_raw)) + int(sizeof(__half2_raw)));
}

int main() {
  Log log = answers::new_log();
  functions<<<1, 24>>>(log);
  answers::print_log(log);
  // On the host
  answers::exact("host_sum", __half2float(__hadd(__float2half(1.0f), __float2half(2.0009766f))));
  answers::exact("host_round", int(__half_as_ushort(__float2half(0.1f))), int(__half_as_ushort(__float2half_rz(0.1f))), int(__half_as_ushort(__float2half_ru(0.1f))));
  answers::exact("host_bfloat16", int(__bfloat16_as_ushort(__float2bfloat16(0.1f))), float(__nv_bfloat16(3.14159f)));
  answers::exact("host_compare", int(__heq(__float2half(1.0f), __float2half(1.0f))), int(__float2half(1.0f) < __float2half(2.0f)));
}
