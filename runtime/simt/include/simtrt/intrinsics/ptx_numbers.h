// Floating-point instructions of PTX: arithmetic with rounding, flushed denormals (ftz) and
// saturation, minimum and maximum, tests, conversions. Source: PTX ISA 8.4, "Floating-Point
// Instructions" and "cvt". simtrt/intrinsics/ptx.h includes this file.
#pragma once

#include <simtrt/intrinsics/conversion.h>
#include <simtrt/intrinsics/directed.h>
#include <simtrt/intrinsics/ptx_integers.h>

#include <cmath>

namespace simtrt::ptx {

template <class T>
T flushed(const char* modifiers, T value) {
  return has(modifiers, "ftz") && std::fpclassify(value) == FP_SUBNORMAL
             ? std::copysign(T{0}, value)
             : value;
}
/// With .sat, a result is in [0, 1], and 0 for NaN.
template <class T>
T saturated(const char* modifiers, T value) {
  if (!has(modifiers, "sat")) return value;
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}
template <class T>
T finished(const char* modifiers, T value) {
  return saturated(modifiers, flushed(modifiers, value));
}

constexpr bool is_directed(const char* modifiers) {
  return has(modifiers, "rz") || has(modifiers, "rm") || has(modifiers, "rp");
}
constexpr Rounding rounding_of(const char* modifiers) {
  return has(modifiers, "rz")   ? Rounding::kZero
         : has(modifiers, "rm") ? Rounding::kDown
                                : Rounding::kUp;
}

template <class T>
T plus(const char* m, T a, T b) {
  a = flushed(m, a), b = flushed(m, b);
  return finished(m, is_directed(m) ? simtrt::add(a, b, rounding_of(m)) : a + b);
}
template <class T>
T minus(const char* m, T a, T b) {
  a = flushed(m, a), b = flushed(m, b);
  return finished(m, is_directed(m) ? simtrt::subtract(a, b, rounding_of(m)) : a - b);
}
template <class T>
T times(const char* m, T a, T b) {
  a = flushed(m, a), b = flushed(m, b);
  return finished(m, is_directed(m) ? simtrt::multiply(a, b, rounding_of(m)) : a * b);
}
template <class T>
T quotient(const char* m, T a, T b) {
  a = flushed(m, a), b = flushed(m, b);
  return finished(m, is_directed(m) ? simtrt::divide(a, b, rounding_of(m)) : a / b);
}
template <class T>
T root(const char* m, T a) {
  a = flushed(m, a);
  return finished(m, is_directed(m) ? simtrt::square_root(a, rounding_of(m)) : std::sqrt(a));
}
template <class T>
T fma(const char* m, T a, T b, T c) {
  a = flushed(m, a), b = flushed(m, b), c = flushed(m, c);
  return finished(m, is_directed(m) ? simtrt::fused(a, b, c, rounding_of(m)) : std::fma(a, b, c));
}

/// Minimum or maximum: -0 is less than 0; NaN gives way to a number, and wins with .NaN.
template <class T>
T extreme(bool maximum, const char* m, T a, T b) {
  a = flushed(m, a), b = flushed(m, b);
  const bool negative = std::signbit(a) != std::signbit(b);
  if (has(m, "abs")) a = std::fabs(a), b = std::fabs(b);
  T result;
  if (a != a || b != b) {
    result = has(m, "NaN") || (a != a && b != b) ? std::numeric_limits<T>::quiet_NaN()
             : a != a                            ? b
                                                 : a;
  } else if (a == b) {
    result = std::signbit(a) == maximum ? b : a;
  } else {
    result = (a < b) == maximum ? b : a;
  }
  return has(m, "xorsign") ? std::copysign(result, negative ? T{-1} : T{1}) : result;
}

/// exp2, log2, sin, cos, reciprocal and roots of .approx instructions; .ftz flushes argument and
/// result.
template <class Function>
f32 approximated(const char* m, Function function, f32 a) {
  return flushed(m, static_cast<f32>(function(flushed(m, a))));
}

/// testp
template <class T>
bool tests(const char* what, T a) {
  if (has(what, "finite")) return std::isfinite(a);
  if (has(what, "infinite")) return std::isinf(a);
  if (has(what, "number")) return !std::isnan(a);
  if (has(what, "notanumber")) return std::isnan(a);
  if (has(what, "normal")) return std::isnormal(a) || a == 0;
  return std::fpclassify(a) == FP_SUBNORMAL;
}

constexpr simtRoundMode mode_of(const char* m) {
  return has(m, "rz") || has(m, "rzi")   ? simtRoundZero
         : has(m, "rm") || has(m, "rmi") ? simtRoundMinInf
         : has(m, "rp") || has(m, "rpi") ? simtRoundPosInf
                                         : simtRoundNearest;
}

template <class To, class From>
To to_integer(const char* m, From value) {
  switch (mode_of(m)) {
    case simtRoundZero: return float_to_integer<To, simtRoundZero>(value);
    case simtRoundMinInf: return float_to_integer<To, simtRoundMinInf>(value);
    case simtRoundPosInf: return float_to_integer<To, simtRoundPosInf>(value);
    default: return float_to_integer<To, simtRoundNearest>(value);
  }
}
template <class T>
T to_integral(const char* m, T value) {
  return has(m, "rni")   ? std::nearbyint(value)
         : has(m, "rzi") ? std::trunc(value)
         : has(m, "rmi") ? std::floor(value)
         : has(m, "rpi") ? std::ceil(value)
                         : value;
}

/// cvt.To.From
template <class To, class From>
To cvt(const char* m, From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_floating_point_v<To>) {
    if constexpr (sizeof(To) < sizeof(From)) {
      const To narrow =
          is_directed(m) ? double_to_float(value, mode_of(m)) : static_cast<To>(value);
      return finished(m, narrow);
    } else {
      return finished(m, static_cast<To>(to_integral(m, flushed(m, value))));
    }
  } else if constexpr (std::is_floating_point_v<From>) {
    return to_integer<To>(m, flushed(m, value));
  } else if constexpr (std::is_floating_point_v<To>) {
    if constexpr (std::is_same_v<To, f32>) {
      return finished(
          m, is_directed(m) ? integer_to_float(value, mode_of(m)) : static_cast<To>(value));
    } else {
      return finished(
          m, is_directed(m) ? integer_to_double(value, mode_of(m)) : static_cast<To>(value));
    }
  } else {
    using Wide = std::conditional_t<std::is_signed_v<From>, Int128, UnsignedInt128>;
    if (!has(m, "sat")) return static_cast<To>(value);
    const auto wide = static_cast<Int128>(static_cast<Wide>(value));
    constexpr auto least = static_cast<Int128>(std::numeric_limits<To>::min());
    constexpr auto most = static_cast<Int128>(std::numeric_limits<To>::max());
    return static_cast<To>(wide < least ? least : wide > most ? most : wide);
  }
}

/// Bits of a 16-bit format with `Exponent` bits of exponent: f16 (5) or bf16 (8).
inline f32 from_half(u16 bits) {
  return as<f32>(convert<Binary32, Binary16>(bits, simtRoundNearest, 0x7FFFFFFF));
}

/// Bits of a 16-bit format with `Exponent` bits of exponent: f16 (5) or bf16 (8).
template <int Exponent>
u16 to_16_bits(const char* m, f32 value) {
  if (has(m, "relu") && !(value > 0) && value == value) value = 0;
  using Format = std::conditional_t<Exponent == 5, Binary16, BrainFloat16>;
  return static_cast<u16>(convert<Format, Binary32>(as<u32>(value), mode_of(m), 0x7FFF));
}
/// cvt.rna.tf32.f32: 10 bits of fraction, halves away from zero.
inline u32 to_tf32(f32 value) {
  const u32 bits = as<u32>(value);
  return (bits & 0x7F800000) == 0x7F800000 ? bits : (bits + 0x1000) & ~u32{0x1FFF};
}

}  // namespace simtrt::ptx
