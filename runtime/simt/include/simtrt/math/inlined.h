// exp, erf and tanh of float as inline code without branches and tables, which the compiler can vectorize in a loop; calls of the C
// library end vectorization. The compiler plugin calls these functions instead of expf, erff and tanhf (plugin/math_calls.cpp).
//
// Errors, which tests/test_math.cpp checks, are at most 1.0 ulp for exp, 1.3 for erf and 1.1 for tanh. CUDA's have at most 2 (CUDA
// C++ Programming Guide 12.4, "Mathematical Functions"). Overflow, infinities, NaN, the sign of zero and subnormal numbers are
// those of the C library. A value of a vector is that of a single call, because no operation is fused.
//
// Polynomials: minimax approximations, whose coefficients build_scripts/fit_inlined.py prints.
#pragma once

#include <cstdint>

#define SIMTRT_INLINED static inline __attribute__((always_inline))

namespace simtrt::inlined {

using Bits = std::int32_t;

SIMTRT_INLINED Bits bits_of(float x) { return __builtin_bit_cast(Bits, x); }
SIMTRT_INLINED float of_bits(Bits x) { return __builtin_bit_cast(float, x); }

/// `condition ? yes : no` by masks: of the operator ?: the compiler often makes a branch, around the computation of a value.
SIMTRT_INLINED float pick(bool condition, float yes, float no) {
  const Bits mask = -static_cast<Bits>(condition);
  return of_bits((bits_of(yes) & mask) | (bits_of(no) & ~mask));
}

/// 2^n for -126 <= n <= 127.
SIMTRT_INLINED float power_of_2(Bits n) { return of_bits((n + 127) << 23); }

/// e^x = fraction * 2^exponent.
struct Power {
  float fraction;
  Bits exponent;
};

/// Power for |x| < 150. Cody and Waite's reduction: x = exponent * log(2) + r with |r| <= log(2) / 2. kLog2High has 12 bits, so
/// that its products are exact.
SIMTRT_INLINED Power power_of_e(float x) {
  constexpr float kLog2E = 0x1.715476p+0f;
  constexpr float kLog2High = 0x1.62ep-1f;
  constexpr float kLog2Low = 0x1.0bfbe8p-15f;
  constexpr float kToInteger = 0x1.8p+23f;  // the sum's last bits are the nearest integer
  const float sum = x * kLog2E + kToInteger;
  const float n = sum - kToInteger;
  const float r = (x - n * kLog2High) - n * kLog2Low;
  const float q =
      (((0x1.6a2512p-10f * r + 0x1.123a4cp-7f) * r + 0x1.5558fp-5f) * r + 0x1.555492p-3f) * r + 0x1.fffffcp-2f;
  return {(r * r * q + r) + 1.0f, bits_of(sum) - bits_of(kToInteger)};
}

SIMTRT_INLINED float exp(float x) {
  constexpr float kLeast = -104.0f;  // the result is 0 below
  constexpr float kGreatest = 89.0f;  // and infinite above
  const float not_less = pick(x < kLeast, kLeast, x);
  const Power power = power_of_e(pick(not_less > kGreatest, kGreatest, not_less));
  // Two factors: 2^exponent alone may be subnormal or infinite, though the result is not.
  const Bits half = power.exponent >> 1;
  return power.fraction * power_of_2(half) * power_of_2(power.exponent - half);
}

/// exp for -87 <= x <= 88.
SIMTRT_INLINED float exp_of_small(float x) {
  const Power power = power_of_e(x);
  return power.fraction * power_of_2(power.exponent);
}

SIMTRT_INLINED float tanh(float x) {
  constexpr float kNear = 0.75f;
  constexpr float kOne = 10.0f;  // the result is 1 from here on
  const float magnitude = __builtin_fabsf(x);
  const float s = x * x;
  const float near = (((((0x1.cbbdb8p-10f * s - 0x1.f7b5e4p-8f) * s + 0x1.5fc5b4p-6f) * s - 0x1.b988a8p-5f) * s +
                       0x1.110e18p-3f) * s - 0x1.55554cp-2f) * s * x + x;
  const float bounded = pick(magnitude > kOne, kOne, magnitude);
  const float far = 1.0f - 2.0f / (exp_of_small(bounded + bounded) + 1.0f);
  return __builtin_copysignf(pick(magnitude > kNear, far, near), x);
}

SIMTRT_INLINED float erf(float x) {
  constexpr float kNear = 0.92f;
  constexpr float kOne = 4.0f;  // the result is 1 from here on
  const float magnitude = __builtin_fabsf(x);
  const float s = x * x;
  const float near = ((((((0x1.5893ecp-14f * s - 0x1.a8fc3ep-11f) * s + 0x1.54a48cp-8f) * s - 0x1.b80b0ep-6f) * s +
                        0x1.ce2de2p-4f) * s - 0x1.812742p-2f) * s + 0x1.06eba8p-3f) * x + x;
  const float b = pick(magnitude > kOne, kOne, magnitude);
  const float log_of_rest = ((((((-0x1.692bf8p-17f * b + 0x1.4d83f2p-12f) * b - 0x1.dadda8p-9f) * b + 0x1.84a1d6p-6f) * b -
                               0x1.b2f1d2p-4f) * b - 0x1.453682p-1f) * b - 0x1.20ee9ep+0f) * b;
  const float far = 1.0f - exp_of_small(log_of_rest);
  return __builtin_copysignf(pick(magnitude > kNear, far, near), x);
}

}  // namespace simtrt::inlined

#undef SIMTRT_INLINED
