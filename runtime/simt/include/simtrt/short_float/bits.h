// Conversions between float or double and the bits of half and bfloat16. Kernels convert
// each element from float, rounding to nearest; this file has a fast implementation, with few
// instructions, of that conversion.
// The other conversions use simtrt/short_float/rounding.h.
#pragma once

#include <cstdint>

#include <simtrt/short_float/rounding.h>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace simtrt {

/// Canonical NaN, which replaces every NaN. Source: CUDA 12.4, cuda_fp16.hpp and cuda_bf16.hpp,
/// "canonical NaN".
constexpr std::uint16_t kShortFloatNan = 0x7FFF;

/// float to half, to nearest even.
inline std::uint16_t float_to_half_bits(float value) {
  if (value != value) {
    return kShortFloatNan;
  }
#if defined(__F16C__)
  return static_cast<std::uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
#else
  const std::uint32_t bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude >= 0x47800000U) {  // 2^16
    return static_cast<std::uint16_t>(sign | Binary16::kInfinity);
  }
  if (magnitude < 0x38800000U) {  // 2^-14: subnormal
    // The sum is in [0.5, 1), where floats have the spacing 2^-24 of subnormal halves: the addition
    // rounds to this spacing.
    const float shifted = bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (bit_cast<std::uint32_t>(shifted) - 0x3F000000U));
  }
  // Adds slightly less than half a unit, and the last bit for ties to even; a carry raises the
  // exponent.
  const std::uint32_t rounded = magnitude + 0xFFFU + (magnitude >> 13 & 1U);
  return static_cast<std::uint16_t>(sign | ((rounded - (112U << 23)) >> 13));
#endif
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
  if (magnitude > Binary16::kInfinity) {
    return bit_cast<float>(0x7FFFFFFFU);
  }
#if defined(__F16C__)
  return _cvtsh_ss(half);
#else
  const std::uint32_t sign = (half & 0x8000U) << 16;
  if (magnitude < 0x0400U) {  // subnormal: magnitude * 2^-24 is exact
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    return bit_cast<float>(sign | bit_cast<std::uint32_t>(value));
  }
  const std::uint32_t bias = magnitude == Binary16::kInfinity ? 224U << 23 : 112U << 23;
  return bit_cast<float>(sign | ((magnitude << 13) + bias));
#endif
}

/// float to bfloat16, to nearest even; bfloat16 is the upper half of a float.
inline std::uint16_t float_to_bfloat16_bits(float value) {
  if (value != value) {
    return kShortFloatNan;
  }
  const std::uint32_t bits = bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
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
