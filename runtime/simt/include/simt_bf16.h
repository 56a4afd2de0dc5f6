// bfloat16 and pairs of bfloat16 numbers: types and functions of CUDA 12.4's cuda_bf16.h.
//
// Conversions and arithmetic have the same bits as on a GPU, except for the payload of NaNs, which
// is always that of CUDA's canonical NaN. Functions such as exp, log and sin may differ from a
// GPU's in the last bit. Warp shuffles, and loads with a cache hint such as __ldg, are templates
// and therefore accept these types too.
#pragma once
#define SIMT_BF16_H  // Programs test this macro to learn whether the header was included.

extern "C++" {  // A program may include a header of CUDA in a block extern "C".

#include <simt_fp16.h>
#include <simt_vector_types.h>
#include <simtrt/kernel/atomic.h>
#include <simtrt/short_float/bf16.h>

// ---- conversions

inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short i) {
  return simtrt::from_bits16<__nv_bfloat16>(i);
}
inline __nv_bfloat16 __short_as_bfloat16(short i) {
  return simtrt::from_bits16<__nv_bfloat16>(static_cast<unsigned short>(i));
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return simtrt::bits_of(h); }
inline short __bfloat16_as_short(__nv_bfloat16 h) { return static_cast<short>(simtrt::bits_of(h)); }

#define SIMTRT_INF_BF16 __ushort_as_bfloat16(0x7F80U)
#define SIMTRT_NAN_BF16 __ushort_as_bfloat16(0x7FFFU)
#define SIMTRT_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001U)
#define SIMTRT_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7FU)
#define SIMTRT_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000U)
#define SIMTRT_ZERO_BF16 __ushort_as_bfloat16(0x0000U)
#define SIMTRT_ONE_BF16 __ushort_as_bfloat16(0x3F80U)

inline float __bfloat162float(__nv_bfloat16 a) { return simtrt::widen(a); }
inline __nv_bfloat16 __float2bfloat16(float a) { return simtrt::narrow<__nv_bfloat16>(a); }
inline __nv_bfloat16 __float2bfloat16_rn(float a) { return simtrt::narrow<__nv_bfloat16>(a); }
inline __nv_bfloat16 __float2bfloat16_rz(float a) {
  return __ushort_as_bfloat16(simtrt::float_to_bfloat16_bits(a, simtRoundZero));
}
inline __nv_bfloat16 __float2bfloat16_rd(float a) {
  return __ushort_as_bfloat16(simtrt::float_to_bfloat16_bits(a, simtRoundMinInf));
}
inline __nv_bfloat16 __float2bfloat16_ru(float a) {
  return __ushort_as_bfloat16(simtrt::float_to_bfloat16_bits(a, simtRoundPosInf));
}
inline __nv_bfloat16 __double2bfloat16(double a) {
  return __ushort_as_bfloat16(simtrt::double_to_bfloat16_bits(a));
}

#define SIMT_SCALAR __nv_bfloat16
#define SIMT_FORMAT BrainFloat16
#define SIMT_TO(integer, direction) __bfloat162##integer##_##direction
#define SIMT_FROM(integer, direction) __##integer##2bfloat16_##direction
#include <simtrt/short_float/conversions.inc>
#undef SIMT_FROM
#undef SIMT_TO
#undef SIMT_FORMAT
#undef SIMT_SCALAR

// ---- pairs: low is x, high is y

inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
inline __nv_bfloat162 __float2bfloat162_rn(float a) {
  return __bfloat162bfloat162(__float2bfloat16_rn(a));
}
inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__float2bfloat16_rn(a), __float2bfloat16_rn(b));
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
inline float2 __bfloat1622float2(__nv_bfloat162 a) {
  return make_float2(__bfloat162float(a.x), __bfloat162float(a.y));
}
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.x, b.x);
}
inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.y, b.y);
}

// ---- arithmetic

#define SIMT_SCALAR __nv_bfloat16
#define SIMT_PAIR __nv_bfloat162
#include <simtrt/short_float/arithmetic.inc>
#include <simtrt/short_float/math.inc>
#undef SIMT_SCALAR
#undef SIMT_PAIR

#if !defined(__SIMT_NO_BFLOAT16_OPERATORS__)
#define SIMT_SCALAR __nv_bfloat16
#define SIMT_ONE SIMTRT_ONE_BF16
#define SIMT_ADD __hadd
#define SIMT_SUB __hsub
#define SIMT_MUL __hmul
#define SIMT_DIV __hdiv
#define SIMT_NEG __hneg
#define SIMT_EQ __heq
#define SIMT_NE __hneu
#define SIMT_GT __hgt
#define SIMT_LT __hlt
#define SIMT_GE __hge
#define SIMT_LE __hle
#include <simtrt/short_float/operators.inc>
#undef SIMT_SCALAR
#endif

#if !defined(__SIMT_NO_BFLOAT162_OPERATORS__)
#define SIMT_SCALAR __nv_bfloat162
#define SIMT_ONE __bfloat162bfloat162(SIMTRT_ONE_BF16)
#define SIMT_ADD __hadd2
#define SIMT_SUB __hsub2
#define SIMT_MUL __hmul2
#define SIMT_DIV __h2div
#define SIMT_NEG __hneg2
#define SIMT_EQ __hbeq2
#define SIMT_NE __hbneu2
#define SIMT_GT __hbgt2
#define SIMT_LT __hblt2
#define SIMT_GE __hbge2
#define SIMT_LE __hble2
#include <simtrt/short_float/operators.inc>
#undef SIMT_SCALAR
#endif

// ---- atomics: the two numbers of a pair are added separately; CUDA, too, guarantees atomicity
// only for each number

inline __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 val) {
  return simtrt::atomic_update(address, [val](__nv_bfloat16 old) { return __hadd(old, val); });
}
inline __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 val) {
  return simtrt::atomic_update(address, [val](__nv_bfloat162 old) { return __hadd2(old, val); });
}

}  // extern "C++"
