// Classes of cuda_bf16.h: bfloat16, a pair of it, and their raw bits. Source of the members: CUDA
// 12.4, cuda_bf16.h. The pair is trivially copyable, unlike CUDA's, so that warp collectives and
// atomics can exchange it directly. Like __half2, it has no assignment from raw bits.
#pragma once

#include <simtrt/short_float/fp16.h>
#include <simtrt/kernel/qualifiers.h>
#include <simtrt/short_float/rounding.h>
#include <simtrt/short_float/short_float.h>

#define __SIMT_BF16_TYPES_EXIST__

struct alignas(2) __nv_bfloat16_raw {
  unsigned short x;
};

struct alignas(4) __nv_bfloat162_raw {
  unsigned short x;
  unsigned short y;
};

struct alignas(2) __nv_bfloat16 {
 protected:
  unsigned short __x;

 public:
#if !defined(__SIMT_NO_BFLOAT16_CONVERSIONS__)
  explicit __nv_bfloat16(__half value)
      : __x(simtrt::float_to_bfloat16_bits(simtrt::widen(value))) {}
#endif

#define SIMT_SCALAR __nv_bfloat16
#define SIMT_RAW __nv_bfloat16_raw
#define SIMT_FORMAT BrainFloat16
#define SIMT_TO_FLOAT bfloat16_bits_to_float
#define SIMT_FROM_FLOAT float_to_bfloat16_bits
#define SIMT_FROM_DOUBLE double_to_bfloat16_bits
#if defined(__SIMT_NO_BFLOAT16_CONVERSIONS__)
#define SIMT_CONVERSIONS 0
#else
#define SIMT_CONVERSIONS 1
#endif
#include <simtrt/short_float/class.inc>
};

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x;
  __nv_bfloat16 y;

  __nv_bfloat162() = default;
  constexpr __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
  constexpr __nv_bfloat162(const __nv_bfloat162_raw& raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  operator __nv_bfloat162_raw() const {
    return __nv_bfloat162_raw{static_cast<__nv_bfloat16_raw>(x).x,
                              static_cast<__nv_bfloat16_raw>(y).x};
  }
};

static_assert(sizeof(__nv_bfloat16) == 2 && std::is_trivially_copyable<__nv_bfloat16>::value,
              "two bytes");
static_assert(sizeof(__nv_bfloat162) == 4 && std::is_trivially_copyable<__nv_bfloat162>::value,
              "four bytes");

namespace simtrt {

template <>
struct ShortFloat<__nv_bfloat16> {
  using Raw = __nv_bfloat16_raw;
  using Pair = __nv_bfloat162;
  static constexpr unsigned int kOne = 0x3F80U;
  static constexpr unsigned int kInfinity = BrainFloat16::kInfinity;
  static float to_float(std::uint16_t bits) { return bfloat16_bits_to_float(bits); }
  static std::uint16_t from_float(float value) { return float_to_bfloat16_bits(value); }
  static std::uint16_t from_double(double value) { return double_to_bfloat16_bits(value); }
};

}  // namespace simtrt

#if !defined(__SIMT_NO_HALF_CONVERSIONS__)
inline __half::__half(__nv_bfloat16 value)
    : __x(simtrt::float_to_half_bits(simtrt::widen(value))) {}
#endif

#if !defined(SIMT_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
