// half (IEEE 754 binary16) and pairs of halves: types and functions of CUDA 12.4's cuda_fp16.h.
//
// Conversions and arithmetic have the same bits as on a GPU, except for the payload of NaNs, which
// is always that of CUDA's canonical NaN. Functions such as exp, log and sin may differ from a
// GPU's in the last bit. Warp shuffles, and loads with a cache hint such as __ldg, are templates and
// therefore accept these types too.
#pragma once
#define SIMT_FP16_H  // Programs test this macro to learn whether the header was included.

extern "C++" {  // A program may include a header of CUDA in a block extern "C".

#include <simt_vector_types.h>
#include <simtrt/kernel/atomic.h>
#include <simtrt/intrinsics/cache.h>
#include <simtrt/short_float/fp16.h>
#include <simtrt/intrinsics/integer.h>

// ---- conversions

inline __half __ushort_as_half(unsigned short i) { return simtrt::from_bits16<__half>(i); }
inline __half __short_as_half(short i) {
  return simtrt::from_bits16<__half>(static_cast<unsigned short>(i));
}
inline unsigned short __half_as_ushort(__half h) { return simtrt::bits_of(h); }
inline short __half_as_short(__half h) { return static_cast<short>(simtrt::bits_of(h)); }

#define SIMTRT_INF_FP16 __ushort_as_half(0x7C00U)
#define SIMTRT_NAN_FP16 __ushort_as_half(0x7FFFU)
#define SIMTRT_MIN_DENORM_FP16 __ushort_as_half(0x0001U)
#define SIMTRT_MAX_NORMAL_FP16 __ushort_as_half(0x7BFFU)
#define SIMTRT_NEG_ZERO_FP16 __ushort_as_half(0x8000U)
#define SIMTRT_ZERO_FP16 __ushort_as_half(0x0000U)
#define SIMTRT_ONE_FP16 __ushort_as_half(0x3C00U)

inline float __half2float(__half a) { return simtrt::widen(a); }
inline __half __float2half(float a) { return simtrt::narrow<__half>(a); }
inline __half __float2half_rn(float a) { return simtrt::narrow<__half>(a); }
inline __half __float2half_rz(float a) {
  return __ushort_as_half(simtrt::float_to_half_bits(a, simtRoundZero));
}
inline __half __float2half_rd(float a) {
  return __ushort_as_half(simtrt::float_to_half_bits(a, simtRoundMinInf));
}
inline __half __float2half_ru(float a) {
  return __ushort_as_half(simtrt::float_to_half_bits(a, simtRoundPosInf));
}
inline __half __double2half(double a) { return __ushort_as_half(simtrt::double_to_half_bits(a)); }

#define SIMT_SCALAR __half
#define SIMT_FORMAT Binary16
#define SIMT_TO(integer, direction) __half2##integer##_##direction
#define SIMT_FROM(integer, direction) __##integer##2half_##direction
#include <simtrt/short_float/conversions.inc>
#undef SIMT_FROM
#undef SIMT_TO
#undef SIMT_FORMAT
#undef SIMT_SCALAR

// ---- pairs: low is x, high is y

inline __half2 make_half2(__half x, __half y) { return __half2(x, y); }
inline __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
inline __half2 __half2half2(__half a) { return __half2(a, a); }
inline __half2 __float2half2_rn(float a) { return __half2half2(__float2half_rn(a)); }
inline __half2 __floats2half2_rn(float a, float b) {
  return __half2(__float2half_rn(a), __float2half_rn(b));
}
inline __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
inline float2 __half22float2(__half2 a) {
  return make_float2(__half2float(a.x), __half2float(a.y));
}
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
inline __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
inline __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
inline __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

// ---- arithmetic

#define SIMT_SCALAR __half
#define SIMT_PAIR __half2
#include <simtrt/short_float/arithmetic.inc>
#include <simtrt/short_float/math.inc>
#undef SIMT_SCALAR
#undef SIMT_PAIR

#if !defined(__SIMT_NO_HALF_OPERATORS__)
#define SIMT_SCALAR __half
#define SIMT_ONE SIMTRT_ONE_FP16
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

#if !defined(__SIMT_NO_HALF2_OPERATORS__)
#define SIMT_SCALAR __half2
#define SIMT_ONE __half2half2(SIMTRT_ONE_FP16)
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

inline __half atomicAdd(__half* address, __half val) {
  return simtrt::atomic_update(address, [val](__half old) { return __hadd(old, val); });
}
inline __half2 atomicAdd(__half2* address, __half2 val) {
  return simtrt::atomic_update(address, [val](__half2 old) { return __hadd2(old, val); });
}

}  // extern "C++"
