// Conversions between 8-bit formats and other formats, rounded once to nearest even.
//
// e5m2 is an IEEE format. e4m3 has no infinity: its only NaN has all bits set, and IEEE's codes for
// infinity and above are numbers up to 448. A number that is too large becomes the largest number
// with __NV_SATFINITE, otherwise infinity (e5m2) or NaN (e4m3). Source of the NaNs' bits and of the
// signatures: CUDA 12.4, cuda_fp8.h and cuda_fp8.hpp.
#pragma once

#include <cstdint>

#include <simt_bf16.h>
#include <simt_fp16.h>
#include <simt_vector_types.h>
#include <simtrt/short_float/fp8_bits.h>

#define __SIMT_FP8_TYPES_EXIST__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

/// Result for numbers that are too large, including infinity.
typedef enum __nv_saturation_t {
  __NV_NOSAT = 0,
  __NV_SATFINITE = 1,
} __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3 = 0,
  __NV_E5M2 = 1,
} __nv_fp8_interpretation_t;

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t fp8_interpretation) {
  const bool saturates = saturate == __NV_SATFINITE;
  return fp8_interpretation == __NV_E4M3 ? simtrt::double_to_e4m3(x, saturates)
                                         : simtrt::double_to_e5m2(x, saturates);
}

inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t fp8_interpretation) {
  // Only a conversion from double preserves the sign and payload of a NaN.
  return x != x ? 0x7FU
                : __nv_cvt_double_to_fp8(static_cast<double>(x), saturate, fp8_interpretation);
}

inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t fp8_interpretation) {
  return __nv_cvt_float_to_fp8(simtrt::half_bits_to_float(x.x), saturate, fp8_interpretation);
}

inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    __nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t fp8_interpretation) {
  return __nv_cvt_float_to_fp8(simtrt::bfloat16_bits_to_float(x.x), saturate, fp8_interpretation);
}

inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    double2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t fp8_interpretation) {
  return simtrt::pack_fp8x2(__nv_cvt_double_to_fp8(x.x, saturate, fp8_interpretation),
                            __nv_cvt_double_to_fp8(x.y, saturate, fp8_interpretation));
}

inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t fp8_interpretation) {
  return simtrt::pack_fp8x2(__nv_cvt_float_to_fp8(x.x, saturate, fp8_interpretation),
                            __nv_cvt_float_to_fp8(x.y, saturate, fp8_interpretation));
}

inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    __half2_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t fp8_interpretation) {
  return simtrt::pack_fp8x2(__nv_cvt_halfraw_to_fp8(__half_raw{x.x}, saturate, fp8_interpretation),
                            __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, saturate, fp8_interpretation));
}

inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw x, __nv_saturation_t saturate,
    __nv_fp8_interpretation_t fp8_interpretation) {
  return simtrt::pack_fp8x2(
      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.x}, saturate, fp8_interpretation),
      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.y}, saturate, fp8_interpretation));
}

inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                          __nv_fp8_interpretation_t fp8_interpretation) {
  return __half_raw{simtrt::fp8_to_half_bits(x, fp8_interpretation == __NV_E4M3)};
}

inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                              __nv_fp8_interpretation_t fp8_interpretation) {
  const bool e4m3 = fp8_interpretation == __NV_E4M3;
  return __half2_raw{simtrt::fp8_to_half_bits(static_cast<__nv_fp8_storage_t>(x), e4m3),
                     simtrt::fp8_to_half_bits(static_cast<__nv_fp8_storage_t>(x >> 8), e4m3)};
}
