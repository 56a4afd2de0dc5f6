// Arithmetic of PTX on f16 and bf16, also on two values in 32 bits (f16x2, bf16x2). Source: PTX ISA 8.4, "Half Precision
// Floating-Point Instructions". simtrt/intrinsics/ptx.h includes this file.
//
// `Exponent` is the number of bits of a format's exponent: 5 for f16, 8 for bf16. Values are computed as f64 and rounded once.
#pragma once

#include <simtrt/intrinsics/ptx_numbers.h>

#include <cmath>

namespace simtrt::ptx {

template <int Exponent>
f64 value_of_half(u16 bits) {
  return Exponent == 5 ? from_half(bits) : as<f32>(u32{bits} << 16);
}

/// Rounds to the nearest value of the format, ties to even. With .relu, negative values become 0.
template <int Exponent>
u16 to_half(const char* m, f64 value) {
  using Format = std::conditional_t<Exponent == 5, Binary16, BrainFloat16>;
  f64 result = saturated(m, value);
  if (has(m, "relu") && result < 0) result = 0;
  const u16 bits = static_cast<u16>(convert<Format, Binary64>(as<u64>(result), simtRoundNearest, 0x7FFF));
  const bool is_subnormal = (bits & (Exponent == 5 ? 0x7C00 : 0x7F80)) == 0;
  return has(m, "ftz") && is_subnormal ? static_cast<u16>(bits & 0x8000) : bits;
}

/// a * b + c, with the last bit set if the sum is inexact: rounding to fewer bits then gives the result of a single rounding.
inline f64 sum_to_odd(f64 a, f64 b, f64 c) {
  const f64 product = a * b;  // exact: each factor has at most 11 bits
  const f64 sum = product + c;
  if (!std::isfinite(sum)) return sum;
  const f64 rest = sum - product;
  const f64 error = (product - (sum - rest)) + (c - rest);
  if (error == 0 || (as<u64>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

/// Smaller or larger value. A NaN is no value, unless the instruction has .NaN; -0 is smaller than 0.
inline f64 least(const char* m, f64 a, f64 b) {
  if (std::isnan(a) || std::isnan(b)) return has(m, "NaN") || (std::isnan(a) && std::isnan(b)) ? NAN : std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
inline f64 most(const char* m, f64 a, f64 b) { return -least(m, -a, -b); }

/// Applies a function of u16 to one value, or to both values in 32 bits.
template <class Function>
u16 each_half(Function function, u16 a, u16 b, u16 c) {
  return function(a, b, c);
}
template <class Function>
u32 each_half(Function function, u32 a, u32 b, u32 c) {
  const auto at = [&](int shift) {
    return u32{function(static_cast<u16>(a >> shift), static_cast<u16>(b >> shift), static_cast<u16>(c >> shift))} << shift;
  };
  return at(16) | at(0);
}

/// Instructions by name. Bits is u16 (one value) or u32 (two values).
template <int Exponent>
struct Halves {
  template <class Bits>
  static Bits fma(const char* m, Bits a, Bits b, Bits c) {
    return each_half(
        [m](u16 x, u16 y, u16 z) { return to_half<Exponent>(m, sum_to_odd(value(x), value(y), value(z))); }, a, b, c);
  }
  template <class Bits>
  static Bits add(const char* m, Bits a, Bits b) {
    return both(m, a, b, [](const char*, f64 x, f64 y) { return sum_to_odd(x, 1, y); });
  }
  template <class Bits>
  static Bits sub(const char* m, Bits a, Bits b) {
    return both(m, a, b, [](const char*, f64 x, f64 y) { return sum_to_odd(x, 1, -y); });
  }
  template <class Bits>
  static Bits mul(const char* m, Bits a, Bits b) {
    return both(m, a, b, [](const char*, f64 x, f64 y) { return x * y; });
  }
  template <class Bits>
  static Bits min(const char* m, Bits a, Bits b) {
    return both(m, a, b, least);
  }
  template <class Bits>
  static Bits max(const char* m, Bits a, Bits b) {
    return both(m, a, b, most);
  }
  template <class Bits>
  static Bits neg(Bits a) {
    return each_half([](u16 x, u16, u16) { return static_cast<u16>(x ^ 0x8000); }, a, a, a);
  }
  template <class Bits>
  static Bits abs(Bits a) {
    return each_half([](u16 x, u16, u16) { return static_cast<u16>(x & 0x7FFF); }, a, a, a);
  }
  template <class Bits>
  static Bits tanh(Bits a) {
    return each_half([](u16 x, u16, u16) { return to_half<Exponent>("", std::tanh(value(x))); }, a, a, a);
  }
  template <class Bits>
  static Bits ex2(Bits a) {
    return each_half([](u16 x, u16, u16) { return to_half<Exponent>("", std::exp2(value(x))); }, a, a, a);
  }

 private:
  static f64 value(u16 bits) { return value_of_half<Exponent>(bits); }

  template <class Bits, class Function>
  static Bits both(const char* m, Bits a, Bits b, Function function) {
    return each_half([&](u16 x, u16 y, u16) { return to_half<Exponent>(m, function(m, value(x), value(y))); }, a, b, b);
  }
};

}  // namespace simtrt::ptx
