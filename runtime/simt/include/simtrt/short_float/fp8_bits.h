// Bits of 8-bit floating-point formats, e4m3 and e5m2. fp8_convert.h describes the formats, and has CUDA's conversions.
#pragma once

#include <cstdint>

#include <simtrt/short_float/bits.h>
#include <simtrt/short_float/rounding.h>

namespace simtrt {

using Fp8E5M2 = BinaryFormat<std::uint8_t, 5, 2>;

/// Format for simtrt::encode: e4m3's numbers, and further numbers with the same precision above the
/// largest number of e4m3.
struct Fp8E4M3Steps {
  using Bits = std::uint16_t;
  static constexpr int kMantissaBits = 3;
  static constexpr int kBias = 1023;
  static constexpr int kMinExponent = -6;
  static constexpr Bits kSign = 0;
  static constexpr Bits kInfinity = 0x7FFF;
  static constexpr Bits kMaxFinite = 0x7FFE;
};

inline std::uint8_t double_to_e4m3(double value, bool saturate) {
  const std::uint64_t bits = bit_cast<std::uint64_t>(value);
  const unsigned int sign = (bits & Binary64::kSign) != 0 ? 0x80U : 0U;
  unsigned int magnitude = 0x7FU;
  if (!is_nan<Binary64>(bits)) {
    if (!is_infinite<Binary64>(bits)) {
      const Decoded number = decode<Binary64>(bits);
      magnitude =
          encode<Fp8E4M3Steps>(false, number.significand, number.exponent, simtRoundNearest);
    }
    if (magnitude > 0x7EU) {
      magnitude = saturate ? 0x7EU : 0x7FU;
    }
  }
  return static_cast<std::uint8_t>(sign | magnitude);
}

inline std::uint8_t double_to_e5m2(double value, bool saturate) {
  const std::uint64_t bits = bit_cast<std::uint64_t>(value);
  const unsigned int sign = (bits & Binary64::kSign) != 0 ? 0x80U : 0U;
  if (is_nan<Binary64>(bits)) {
    // Quiet NaN, with the last payload bit that fits.
    return static_cast<std::uint8_t>(sign | 0x7EU | (bits >> 50 & 1U));
  }
  unsigned int magnitude = Fp8E5M2::kInfinity;
  if (!is_infinite<Binary64>(bits)) {
    const Decoded number = decode<Binary64>(bits);
    magnitude = encode<Fp8E5M2>(false, number.significand, number.exponent, simtRoundNearest);
  }
  if (saturate && magnitude == Fp8E5M2::kInfinity) {
    magnitude = Fp8E5M2::kMaxFinite;
  }
  return static_cast<std::uint8_t>(sign | magnitude);
}

/// half with the same value. Every 8-bit number is exact in half.
inline std::uint16_t fp8_to_half_bits(std::uint8_t x, bool e4m3) {
  if (!e4m3) {
    const std::uint16_t bits = static_cast<std::uint16_t>(x << 8);
    return is_nan<Binary16>(bits) ? kShortFloatNan : bits;
  }
  if ((x & 0x7FU) == 0x7FU) {
    return kShortFloatNan;
  }
  const unsigned int magnitude = x & 0x7FU;
  const bool normal = magnitude >> 3 != 0;
  const std::uint64_t significand = (magnitude & 7U) | (normal ? 8U : 0U);
  const int exponent = static_cast<int>(normal ? magnitude >> 3 : 1U) - 7 - 3;
  return encode<Binary16>((x & 0x80U) != 0, significand, exponent, simtRoundNearest);
}

/// Two values of 8 bits, `low` in the lower byte.
inline std::uint16_t pack_fp8x2(std::uint8_t low, std::uint8_t high) {
  return static_cast<std::uint16_t>(low | high << 8);
}

}  // namespace simtrt
