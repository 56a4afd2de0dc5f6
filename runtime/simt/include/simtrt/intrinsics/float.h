// CUDA's arithmetic functions that round to nearest and that the compiler never fuses, and CUDA's
// fast float functions.
//
// On this target, the fast functions are as accurate as the standard functions: __sinf is as
// accurate as sinf. Special results that a kernel may rely on are the same as in CUDA: __fdividef
// is 0 for a large divisor, and __saturatef(NaN) is 0. Source: CUDA Math API 12.4, "Single/Double
// Precision Intrinsics"; CUDA C++ Programming Guide 12.4, "Mathematical Functions", table of
// intrinsic functions.
#pragma once

#include <cmath>

#include <simtrt/kernel/qualifiers.h>
#include <simtrt/short_float/rounding.h>

inline float __fadd_rn(float x, float y) { return simtrt::unfused(x + y); }
inline float __fsub_rn(float x, float y) { return simtrt::unfused(x - y); }
inline float __fmul_rn(float x, float y) { return simtrt::unfused(x * y); }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
/// CUDA's name for a fused multiply-add that never flushes subnormals to zero. This target never
/// flushes them.
inline float __fmaf_ieee_rn(float x, float y, float z) { return std::fma(x, y, z); }

/// 1/sqrt(x), rounded correctly. The first rounding, to double, does not change the result: no
/// float's reciprocal square root is that close to the midpoint of two floats. This was proven by
/// exact integer arithmetic for all mantissas of two successive binades.
inline float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}

inline double __dadd_rn(double x, double y) { return simtrt::unfused(x + y); }
inline double __dsub_rn(double x, double y) { return simtrt::unfused(x - y); }
inline double __dmul_rn(double x, double y) { return simtrt::unfused(x * y); }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }
inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }

/// x clamped to [0, 1]; NaN becomes 0.
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

/// x / y; for 2^126 < |y| < 2^128 the result is 0, or NaN for an infinite x.
inline float __fdividef(float x, float y) {
  const float magnitude = std::fabs(y);
  if (magnitude > 0x1p126f && magnitude <= 0x1.FFFFFEp127f) {
    return x * std::copysign(0.0f, y);
  }
  return x / y;
}
/// Divides precisely. In CUDA, this function is __fdividef if the program is compiled with
/// -use_fast_math.
inline float fdividef(float x, float y) { return x / y; }

inline float __expf(float x) { return std::exp(x); }
inline float __exp10f(float x) {
  return static_cast<float>(std::pow(10.0, static_cast<double>(x)));
}
inline float __logf(float x) { return std::log(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __log10f(float x) { return std::log10(x); }
/// 2^(y log2 x); thus NaN for a negative x, unlike powf.
inline float __powf(float x, float y) {
  return static_cast<float>(std::exp2(static_cast<double>(y) * std::log2(static_cast<double>(x))));
}
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __tanf(float x) { return std::tan(x); }
inline void __sincosf(float x, float* sptr, float* cptr) {
  *sptr = std::sin(x);
  *cptr = std::cos(x);
}
