// Arithmetic of half and bfloat16, with one implementation for both: computed in float or double
// and rounded once, to nearest even.
//
// Sums, products, quotients and square roots are rounded to float first; this is harmless, because
// float has more than twice the digits (S. Figueroa, "When is double rounding innocuous?", 1995). A
// fused multiply-add is computed in double: the product is exact, and the addition rounds to odd.
// GPUs without instructions for a type (bfloat16 below compute capability 8.0) also compute in
// float and round the result. Every NaN result is the canonical NaN.
#pragma once

#include <cmath>
#include <cstdint>

#include <simtrt/short_float/rounding.h>
#include <simtrt/short_float/bits.h>

namespace simtrt {

/// Traits of half and bfloat16: specialised in simt_fp16.h and simt_bf16.h with `Raw`, `Pair`,
/// `to_float(bits)`, `from_float(float)`, `from_double(double)`, `kOne` and `kInfinity` (bits).
template <class Scalar>
struct ShortFloat;

template <class Scalar>
inline std::uint16_t bits_of(Scalar value) {
  return static_cast<typename ShortFloat<Scalar>::Raw>(value).x;
}

template <class Scalar>
inline Scalar from_bits16(unsigned int bits) {
  return Scalar(typename ShortFloat<Scalar>::Raw{static_cast<unsigned short>(bits)});
}

template <class Scalar>
inline float widen(Scalar value) {
  return ShortFloat<Scalar>::to_float(simtrt::bits_of(value));
}

template <class Scalar>
inline Scalar narrow(float value) {
  return from_bits16<Scalar>(ShortFloat<Scalar>::from_float(value));
}

template <class Scalar>
inline bool is_nan_short(Scalar value) {
  return (simtrt::bits_of(value) & 0x7FFFU) > ShortFloat<Scalar>::kInfinity;
}

/// 1 for infinity, -1 for -infinity, otherwise 0.
template <class Scalar>
inline int infinity_sign(Scalar value) {
  const std::uint16_t bits = simtrt::bits_of(value);
  return (bits & 0x7FFFU) != ShortFloat<Scalar>::kInfinity ? 0 : (bits & 0x8000U) != 0 ? -1 : 1;
}

template <class Scalar>
inline Scalar truth(bool value) {
  return from_bits16<Scalar>(value ? ShortFloat<Scalar>::kOne : 0U);
}

/// a * b + c, rounded once.
template <class Scalar>
inline Scalar fused_multiply_add(Scalar a, Scalar b, Scalar c) {
  const double product =
      static_cast<double>(simtrt::widen(a)) * static_cast<double>(simtrt::widen(b));
  const double sum = add_to_odd(product, static_cast<double>(simtrt::widen(c)));
  return from_bits16<Scalar>(ShortFloat<Scalar>::from_double(sum));
}

/// Clamps to [0, 1]; NaN becomes 0.
template <class Scalar>
inline Scalar saturate(Scalar value) {
  const float x = simtrt::widen(value);
  return x > 0.0f ? (x < 1.0f ? value : truth<Scalar>(true)) : truth<Scalar>(false);
}

template <class Scalar>
inline Scalar absolute(Scalar value) {
  return from_bits16<Scalar>(simtrt::is_nan_short(value) ? kShortFloatNan
                                                         : simtrt::bits_of(value) & 0x7FFFU);
}

template <class Scalar>
inline Scalar negated(Scalar value) {
  return from_bits16<Scalar>(simtrt::is_nan_short(value) ? kShortFloatNan
                                                         : simtrt::bits_of(value) ^ 0x8000U);
}

/// Integer whose order equals the order of the values; -0 precedes +0.
template <class Scalar>
inline int order_key(Scalar value) {
  const int magnitude = simtrt::bits_of(value) & 0x7FFF;
  return (simtrt::bits_of(value) & 0x8000U) != 0 ? -magnitude - 1 : magnitude;
}

/// Larger operand; if one operand is NaN, the other operand. +0 is larger than -0 (PTX ISA, "max").
template <class Scalar>
inline Scalar maximum(Scalar a, Scalar b) {
  if (simtrt::is_nan_short(a) || simtrt::is_nan_short(b)) {
    return simtrt::is_nan_short(a)
               ? (simtrt::is_nan_short(b) ? from_bits16<Scalar>(kShortFloatNan) : b)
               : a;
  }
  return simtrt::order_key(a) < simtrt::order_key(b) ? b : a;
}

template <class Scalar>
inline Scalar minimum(Scalar a, Scalar b) {
  if (simtrt::is_nan_short(a) || simtrt::is_nan_short(b)) {
    return simtrt::is_nan_short(a)
               ? (simtrt::is_nan_short(b) ? from_bits16<Scalar>(kShortFloatNan) : b)
               : a;
  }
  return simtrt::order_key(b) < simtrt::order_key(a) ? b : a;
}

/// Larger operand; NaN if an operand is NaN.
template <class Scalar>
inline Scalar maximum_or_nan(Scalar a, Scalar b) {
  return simtrt::is_nan_short(a) || simtrt::is_nan_short(b) ? from_bits16<Scalar>(kShortFloatNan)
                                                            : simtrt::maximum(a, b);
}

template <class Scalar>
inline Scalar minimum_or_nan(Scalar a, Scalar b) {
  return simtrt::is_nan_short(a) || simtrt::is_nan_short(b) ? from_bits16<Scalar>(kShortFloatNan)
                                                            : simtrt::minimum(a, b);
}

}  // namespace simtrt
