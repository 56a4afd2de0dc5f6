// Conversions between float or double and the bits of half and bfloat16. Kernels convert
// each element from float, rounding to nearest; this file has a fast implementation of that
// conversion, with few instructions and without branches.
// The other conversions use simtrt/short_float/rounding.h.
#pragma once

#include <cstdint>

#include <simtrt/short_float/rounding.h>

namespace simtrt {

/// Canonical NaN, which replaces every NaN. Source: CUDA 12.4, cuda_fp16.hpp and cuda_bf16.hpp,
/// "canonical NaN".
constexpr std::uint16_t kShortFloatNan = 0x7FFF;

/// `chosen` if the condition holds, else `other`: without a branch, so that loops can be vectorized. g++ makes branches of `? :`.
template <class Bits>
constexpr Bits select(bool condition, Bits chosen, Bits other) {
  const Bits mask = static_cast<Bits>(-static_cast<Bits>(condition));
  return static_cast<Bits>((chosen & mask) | (other & static_cast<Bits>(~mask)));
}

/// float to half, to nearest even.
inline std::uint16_t float_to_half_bits(float value) {
  const std::uint32_t bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  // Below 2^-14: the sum is in [0.5, 1), where floats have the spacing 2^-24 of subnormal halves: the addition rounds to this
  // spacing.
  const std::uint32_t subnormal = bit_cast<std::uint32_t>(bit_cast<float>(magnitude) + 0.5f) - 0x3F000000U;
  // Adds slightly less than half a unit, and the last bit for ties to even; a carry raises the exponent.
  const std::uint32_t normal = (magnitude + 0xFFFU + (magnitude >> 13 & 1U) - (112U << 23)) >> 13;
  std::uint32_t half = select(magnitude < 0x38800000U, subnormal, normal);
  half = select(magnitude >= 0x47800000U, std::uint32_t{Binary16::kInfinity}, half);  // from 2^16 on
  half = select(magnitude > 0x7F800000U, std::uint32_t{kShortFloatNan}, half | sign);
  return static_cast<std::uint16_t>(half);
}

inline std::uint16_t float_to_half_bits(float value, simtRoundMode mode) {
  return convert<Binary16, Binary32>(bit_cast<std::uint32_t>(value), mode, kShortFloatNan);
}

inline std::uint16_t double_to_half_bits(double value) {
  return convert<Binary16, Binary64>(bit_cast<std::uint64_t>(value), simtRoundNearest,
                                     kShortFloatNan);
}

/// half to float, exactly; a NaN becomes CUDA's float NaN.
inline float half_bits_to_float(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7FFFU;
  const std::uint32_t sign = (half & 0x8000U) << 16;
  // magnitude * 2^-24 is exact.
  const std::uint32_t subnormal = bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f);
  const std::uint32_t normal = (magnitude << 13) + (112U << 23);
  std::uint32_t bits = select(magnitude < 0x0400U, subnormal, normal);
  bits = select(magnitude == Binary16::kInfinity, 0x7F800000U, bits);
  bits = select(magnitude > Binary16::kInfinity, 0x7FFFFFFFU, bits | sign);
  return bit_cast<float>(bits);
}

/// float to bfloat16, to nearest even; bfloat16 is the upper half of a float.
inline std::uint16_t float_to_bfloat16_bits(float value) {
  const std::uint32_t bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16;
  return static_cast<std::uint16_t>(select((bits & 0x7FFFFFFFU) > 0x7F800000U, std::uint32_t{kShortFloatNan}, rounded));
}

inline std::uint16_t float_to_bfloat16_bits(float value, simtRoundMode mode) {
  return convert<BrainFloat16, Binary32>(bit_cast<std::uint32_t>(value), mode, kShortFloatNan);
}

inline std::uint16_t double_to_bfloat16_bits(double value) {
  return convert<BrainFloat16, Binary64>(bit_cast<std::uint64_t>(value), simtRoundNearest,
                                         kShortFloatNan);
}

/// bfloat16 to float; NaNs keep their bits.
inline float bfloat16_bits_to_float(std::uint16_t bfloat16) {
  return bit_cast<float>(static_cast<std::uint32_t>(bfloat16) << 16);
}

}  // namespace simtrt
