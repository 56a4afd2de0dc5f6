// Classes of cuda_fp8.h. Constructors saturate a number that is too large. All conversions are
// explicit. Source of the members: CUDA 12.4, cuda_fp8.hpp.
#pragma once

#include <simtrt/short_float/fp8_convert.h>

namespace simtrt {

/// One 8-bit number.
template <__nv_fp8_interpretation_t Kind>
struct alignas(1) Fp8 {
  __nv_fp8_storage_t __x;

  Fp8() = default;

#if !defined(__SIMT_NO_FP8_CONVERSIONS__)
  explicit Fp8(__half value)
      : __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(value), __NV_SATFINITE, Kind)) {}
  explicit Fp8(__nv_bfloat16 value)
      : __x(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(value), __NV_SATFINITE,
                                        Kind)) {}
  explicit Fp8(float value) : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, Kind)) {}
  explicit Fp8(double value) : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, Kind)) {}
  // Integers are first converted to float, as in CUDA.
  explicit Fp8(short value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(unsigned short value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(int value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(unsigned int value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(long value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(unsigned long value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(long long value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(unsigned long long value) : Fp8(static_cast<float>(value)) {}

#if !defined(__SIMT_NO_FP8_CONVERSION_OPERATORS__)
  explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, Kind)); }
  explicit operator float() const { return widen(static_cast<__half>(*this)); }
  explicit operator __nv_bfloat16() const {
    return narrow<__nv_bfloat16>(static_cast<float>(*this));
  }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
  // Truncated towards zero, saturated.
  explicit operator char() const { return to_integer<char>(); }
  explicit operator signed char() const { return to_integer<signed char>(); }
  explicit operator unsigned char() const { return to_integer<unsigned char>(); }
  explicit operator short() const { return to_integer<short>(); }
  explicit operator unsigned short() const { return to_integer<unsigned short>(); }
  explicit operator int() const { return to_integer<int>(); }
  explicit operator unsigned int() const { return to_integer<unsigned int>(); }
  explicit operator long() const { return to_integer<long>(); }
  explicit operator unsigned long() const { return to_integer<unsigned long>(); }
  explicit operator long long() const { return to_integer<long long>(); }
  explicit operator unsigned long long() const { return to_integer<unsigned long long>(); }
  /// False for zero of either sign.
  explicit operator bool() const { return (__x & 0x7FU) != 0U; }

 private:
  template <class Integer>
  Integer to_integer() const {
    return float_to_integer<Integer, simtRoundZero>(static_cast<float>(*this));
  }
#endif
#endif
};

/// Two 8-bit numbers, x in the lower byte.
template <__nv_fp8_interpretation_t Kind>
struct alignas(2) Fp8x2 {
  __nv_fp8x2_storage_t __x;

  Fp8x2() = default;

#if !defined(__SIMT_NO_FP8_CONVERSIONS__)
  explicit Fp8x2(__half2 value)
      : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(value), __NV_SATFINITE, Kind)) {}
  explicit Fp8x2(__nv_bfloat162 value)
      : __x(__nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(value), __NV_SATFINITE,
                                           Kind)) {}
  explicit Fp8x2(float2 value) : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, Kind)) {}
  explicit Fp8x2(double2 value) : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, Kind)) {}

#if !defined(__SIMT_NO_FP8_CONVERSION_OPERATORS__)
  explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, Kind)); }
  explicit operator float2() const {
    const __half2 halves = static_cast<__half2>(*this);
    return make_float2(widen(halves.x), widen(halves.y));
  }
#endif
#endif
};

/// Four 8-bit numbers, x in the lowest byte.
template <__nv_fp8_interpretation_t Kind>
struct alignas(4) Fp8x4 {
  __nv_fp8x4_storage_t __x;

  Fp8x4() = default;

#if !defined(__SIMT_NO_FP8_CONVERSIONS__)
  explicit Fp8x4(__half2 low, __half2 high) : Fp8x4(Fp8x2<Kind>(low), Fp8x2<Kind>(high)) {}
  explicit Fp8x4(__nv_bfloat162 low, __nv_bfloat162 high)
      : Fp8x4(Fp8x2<Kind>(low), Fp8x2<Kind>(high)) {}
  explicit Fp8x4(float4 value)
      : Fp8x4(Fp8x2<Kind>(make_float2(value.x, value.y)),
              Fp8x2<Kind>(make_float2(value.z, value.w))) {}
  explicit Fp8x4(double4 value)
      : Fp8x4(Fp8x2<Kind>(make_double2(value.x, value.y)),
              Fp8x2<Kind>(make_double2(value.z, value.w))) {}

#if !defined(__SIMT_NO_FP8_CONVERSION_OPERATORS__)
  explicit operator float4() const {
    Fp8x2<Kind> low;
    Fp8x2<Kind> high;
    low.__x = static_cast<__nv_fp8x2_storage_t>(__x);
    high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);
    const float2 xy = static_cast<float2>(low);
    const float2 zw = static_cast<float2>(high);
    return make_float4(xy.x, xy.y, zw.x, zw.y);
  }
#endif

 private:
  Fp8x4(Fp8x2<Kind> low, Fp8x2<Kind> high)
      : __x(static_cast<__nv_fp8x4_storage_t>(low.__x) | static_cast<__nv_fp8x4_storage_t>(high.__x)
                                                             << 16) {}
#endif
};

}  // namespace simtrt

// Structures instead of aliases, because code may forward-declare CUDA's structures.
#define SIMT_FP8_STRUCT(name, Base, Kind) \
  struct name : simtrt::Base<Kind> {      \
    using simtrt::Base<Kind>::Base;       \
    name() = default;                     \
  };

SIMT_FP8_STRUCT(__nv_fp8_e5m2, Fp8, __NV_E5M2)
SIMT_FP8_STRUCT(__nv_fp8_e4m3, Fp8, __NV_E4M3)
SIMT_FP8_STRUCT(__nv_fp8x2_e5m2, Fp8x2, __NV_E5M2)
SIMT_FP8_STRUCT(__nv_fp8x2_e4m3, Fp8x2, __NV_E4M3)
SIMT_FP8_STRUCT(__nv_fp8x4_e5m2, Fp8x4, __NV_E5M2)
SIMT_FP8_STRUCT(__nv_fp8x4_e4m3, Fp8x4, __NV_E4M3)

#undef SIMT_FP8_STRUCT
