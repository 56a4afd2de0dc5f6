// Classes of cuda_fp16.h: half, a pair of halves, and their raw bits. Source of the members: CUDA
// 12.4, cuda_fp16.h. The pair is trivially copyable, unlike CUDA's, so that warp collectives and
// atomics can exchange it directly. It has no assignment from raw bits, with which g++ would find
// `pair = {low, high}` ambiguous, unlike nvcc; raw bits convert by the constructor.
#pragma once

#include <simtrt/kernel/qualifiers.h>
#include <simtrt/short_float/rounding.h>
#include <simtrt/short_float/short_float.h>

#define __SIMT_FP16_TYPES_EXIST__

struct __nv_bfloat16;

struct alignas(2) __half_raw {
  unsigned short x;
};

struct alignas(4) __half2_raw {
  unsigned short x;
  unsigned short y;
};

struct alignas(2) __half {
 protected:
  unsigned short __x;

 public:
#if !defined(__SIMT_NO_HALF_CONVERSIONS__)
  explicit __half(__nv_bfloat16 value);  // in simt_bf16.h
#endif

#define SIMT_SCALAR __half
#define SIMT_RAW __half_raw
#define SIMT_FORMAT Binary16
#define SIMT_TO_FLOAT half_bits_to_float
#define SIMT_FROM_FLOAT float_to_half_bits
#define SIMT_FROM_DOUBLE double_to_half_bits
#if defined(__SIMT_NO_HALF_CONVERSIONS__)
#define SIMT_CONVERSIONS 0
#else
#define SIMT_CONVERSIONS 1
#endif
#include <simtrt/short_float/class.inc>
};

struct alignas(4) __half2 {
  __half x;
  __half y;

  __half2() = default;
  constexpr __half2(const __half& a, const __half& b) : x(a), y(b) {}
  constexpr __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  operator __half2_raw() const {
    return __half2_raw{static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x};
  }
};

static_assert(sizeof(__half) == 2 && std::is_trivially_copyable<__half>::value, "two bytes");
static_assert(sizeof(__half2) == 4 && std::is_trivially_copyable<__half2>::value, "four bytes");

namespace simtrt {

template <>
struct ShortFloat<__half> {
  using Raw = __half_raw;
  using Pair = __half2;
  static constexpr unsigned int kOne = 0x3C00U;
  static constexpr unsigned int kInfinity = Binary16::kInfinity;
  static float to_float(std::uint16_t bits) { return half_bits_to_float(bits); }
  static std::uint16_t from_float(float value) { return float_to_half_bits(value); }
  static std::uint16_t from_double(double value) { return double_to_half_bits(value); }
};

}  // namespace simtrt

#if !defined(SIMT_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif
