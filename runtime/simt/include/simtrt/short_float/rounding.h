// Rounding to any binary floating-point format and to integers, in each of IEEE 754's rounding
// modes. Formats are encoded by integer arithmetic, with the same bits on every compiler and
// processor. Code that rounds by floating-point operations assumes that the host rounds to nearest,
// which is C++'s default. Sources: IEEE 754-2019, sections 3.4, 4.3 and 7.4; PTX ISA 8.4, "cvt",
// for NaN and saturation.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

/// Rounding modes of CUDA 12.4's device_types.h.
enum simtRoundMode {
  simtRoundNearest = 0,
  simtRoundZero = 1,
  simtRoundPosInf = 2,
  simtRoundMinInf = 3,
};

namespace simtrt {

/// Reinterprets the bytes of `value` as a To of the same size.
template <class To, class From>
inline To bit_cast(const From& value) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  static_assert(std::is_trivially_copyable<To>::value && std::is_trivially_copyable<From>::value,
                "a bit cast copies bytes");
  To to;
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&value), sizeof(To));
  return to;
}

/// An IEEE 754 interchange format: one sign bit, ExponentBits bits of exponent and MantissaBits
/// bits of mantissa.
template <class BitsType, int ExponentBits, int MantissaBits>
struct BinaryFormat {
  using Bits = BitsType;
  static constexpr int kExponentBits = ExponentBits;
  static constexpr int kMantissaBits = MantissaBits;
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
  static constexpr int kMinExponent = 1 - kBias;
  static constexpr Bits kSign = static_cast<Bits>(Bits(1) << (ExponentBits + MantissaBits));
  static constexpr Bits kInfinity =
      static_cast<Bits>(((Bits(1) << ExponentBits) - 1) << MantissaBits);
  static constexpr Bits kMaxFinite = static_cast<Bits>(kInfinity - 1);
};

using Binary16 = BinaryFormat<std::uint16_t, 5, 10>;
using BrainFloat16 = BinaryFormat<std::uint16_t, 8, 7>;
using Binary32 = BinaryFormat<std::uint32_t, 8, 23>;
using Binary64 = BinaryFormat<std::uint64_t, 11, 52>;

/// True if the number must be rounded away from zero. `below` describes the discarded part: 0
/// nothing, 1 less than half a unit, 2 exactly half, 3 more than half.
constexpr bool rounds_away(simtRoundMode mode, bool negative, bool odd, int below) {
  switch (mode) {
    case simtRoundNearest: return below == 3 || (below == 2 && odd);
    case simtRoundZero: return false;
    case simtRoundPosInf: return below != 0 && !negative;
    case simtRoundMinInf: return below != 0 && negative;
  }
  return false;
}

/// (-1)^negative * significand * 2^exponent, rounded once. Overflow gives infinity or the largest finite
/// number, according to the rounding mode; numbers below the normal range are subnormal, not zero.
template <class Format>
constexpr typename Format::Bits encode(bool negative, std::uint64_t significand, int exponent,
                                       simtRoundMode mode) {
  using Bits = typename Format::Bits;
  constexpr int mantissa_bits = Format::kMantissaBits;
  const Bits sign = negative ? Format::kSign : Bits(0);
  if (significand == 0) {
    return sign;
  }
  // The shift below moves the leading bit to bit 63.
  const int zeros = __builtin_clzll(significand);
  significand <<= zeros;
  const int leading = exponent - zeros + 63;
  const bool subnormal = leading < Format::kMinExponent;
  const int cut = 63 - mantissa_bits + (subnormal ? Format::kMinExponent - leading : 0);

  std::uint64_t kept = 0;
  int below = 1;
  if (cut < 64) {
    kept = significand >> cut;
    const std::uint64_t rest = significand & ((std::uint64_t(1) << cut) - 1);
    const std::uint64_t half = std::uint64_t(1) << (cut - 1);
    below = rest == 0 ? 0 : rest < half ? 1 : rest == half ? 2 : 3;
  } else if (cut == 64) {
    below = significand == std::uint64_t(1) << 63 ? 2 : 3;
  }
  if (rounds_away(mode, negative, (kept & 1) != 0, below)) {
    ++kept;
  }
  // A carry out of the mantissa raises the exponent automatically, because both fields form one number.
  const int steps = subnormal ? 0 : leading - Format::kMinExponent;
  if (steps > 2 * Format::kBias) {
    kept = Format::kInfinity;
  } else {
    kept += static_cast<std::uint64_t>(steps) << mantissa_bits;
  }
  if (kept >= Format::kInfinity) {
    const bool away = mode == simtRoundNearest || (mode == simtRoundPosInf && !negative) ||
                      (mode == simtRoundMinInf && negative);
    kept = away ? Format::kInfinity : Format::kMaxFinite;
  }
  return static_cast<Bits>(sign | kept);
}

/// Fields of a finite number: (-1)^negative * significand *
/// 2^exponent.
struct Decoded {
  bool negative;
  std::uint64_t significand;
  int exponent;
};

template <class Format>
constexpr Decoded decode(typename Format::Bits bits) {
  const std::uint64_t magnitude = bits & ~static_cast<std::uint64_t>(Format::kSign);
  const std::uint64_t fraction = magnitude & ((std::uint64_t(1) << Format::kMantissaBits) - 1);
  const int biased = static_cast<int>(magnitude >> Format::kMantissaBits);
  const bool normal = biased != 0;
  return {(bits & Format::kSign) != 0,
          normal ? fraction | std::uint64_t(1) << Format::kMantissaBits : fraction,
          (normal ? biased : 1) - Format::kBias - Format::kMantissaBits};
}

template <class Format>
constexpr bool is_nan(typename Format::Bits bits) {
  return (bits & ~static_cast<std::uint64_t>(Format::kSign)) > Format::kInfinity;
}

template <class Format>
constexpr bool is_infinite(typename Format::Bits bits) {
  return (bits & ~static_cast<std::uint64_t>(Format::kSign)) == Format::kInfinity;
}

/// Conversion from one format to another; every NaN becomes `nan`.
template <class To, class From>
constexpr typename To::Bits convert(typename From::Bits bits, simtRoundMode mode,
                                    typename To::Bits nan) {
  if (is_nan<From>(bits)) {
    return nan;
  }
  if (is_infinite<From>(bits)) {
    const bool negative = (bits & From::kSign) != 0;
    return static_cast<typename To::Bits>(negative ? To::kSign | To::kInfinity : To::kInfinity);
  }
  const Decoded number = decode<From>(bits);
  return encode<To>(number.negative, number.significand, number.exponent, mode);
}

/// Conversion of an integer of any type to a floating-point format.
template <class To, class Integer>
constexpr typename To::Bits encode_integer(Integer value, simtRoundMode mode) {
  const bool negative = value < Integer(0);
  const std::uint64_t bits = static_cast<std::uint64_t>(value);
  return encode<To>(negative, negative ? 0 - bits : bits, 0, mode);
}

/// `value` rounded to an integer of the same floating-point type. Mode is a template argument, so
/// that the compiler can emit a single instruction.
template <simtRoundMode Mode, class Float>
inline Float round_to_integral(Float value) {
  if constexpr (Mode == simtRoundNearest) {
    return std::nearbyint(value);
  } else if constexpr (Mode == simtRoundZero) {
    return std::trunc(value);
  } else if constexpr (Mode == simtRoundPosInf) {
    return std::ceil(value);
  } else {
    return std::floor(value);
  }
}

/// Conversion of float or double to an integer, with saturation. NaN becomes 0 if the source is
/// float and the integer has at most 32 bits; otherwise NaN becomes the integer in which only the
/// most significant bit is set (PTX ISA, "cvt", integer notes).
template <class Integer, simtRoundMode Mode, class Float>
inline Integer float_to_integer(Float value) {
  using Limits = std::numeric_limits<Integer>;
  if (value != value) {
    const bool zero = sizeof(Float) == 4 && sizeof(Integer) <= 4;
    return zero ? Integer(0) : static_cast<Integer>(std::uint64_t(1) << (sizeof(Integer) * 8 - 1));
  }
  const Float rounded = round_to_integral<Mode>(value);
  // 2^digits is one more than the largest integer, and exact in every floating-point format.
  const Float limit = static_cast<Float>(std::uint64_t(1) << (Limits::digits - 1)) * Float(2);
  if (rounded >= limit) {
    return Limits::max();
  }
  if (rounded < static_cast<Float>(Limits::min())) {
    return Limits::min();
  }
  return static_cast<Integer>(rounded);
}

/// Prevents the fusion of a product with a later addition, which gcc performs by default on
/// processors with FMA.
template <class Float>
inline Float unfused(Float value) {
#if defined(__x86_64__) && defined(__FMA__)
  __asm__("" : "+x"(value));
#elif defined(__aarch64__)
  __asm__("" : "+w"(value));
#endif
  return value;
}

/// a + b, with the last bit set if the sum is inexact ("rounding to odd": S. Boldo, G. Melquiond,
/// "Emulation of a FMA and correctly rounded sums", 2008). A second rounding, to a format shorter
/// by at least two bits, is then correct.
inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  std::uint64_t bits = bit_cast<std::uint64_t>(sum);
  if (error != 0.0 && std::isfinite(sum) && (bits & 1) == 0) {
    // Moves one step towards the exact sum, which lies between two neighbouring numbers.
    const bool larger = (error > 0.0) == (sum > 0.0);
    bits = larger ? bits + 1 : bits - 1;
  }
  return bit_cast<double>(bits);
}

}  // namespace simtrt
