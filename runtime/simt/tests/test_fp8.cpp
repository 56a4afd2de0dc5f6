// The 8-bit formats: every code, and rounding with and without saturation.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include <simt_fp8.h>

#include "short_float_reference.h"

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

double number(unsigned bits, __nv_fp8_interpretation_t kind) {
  return static_cast<double>(
      __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(bits), kind))));
}

bool is_nan_code(unsigned bits, __nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? (bits & 0x7FU) == 0x7FU : (bits & 0x7FU) > 0x7CU;
}

}  // namespace

TEST_CASE("fp8: the formats' numbers") {
  // P. Micikevicius et al., "FP8 Formats for Deep Learning", 2022, table 1.
  CHECK(number(0x7E, __NV_E4M3) == 448.0);
  CHECK(number(0x08, __NV_E4M3) == 0x1p-6);
  CHECK(number(0x07, __NV_E4M3) == 0.875 * 0x1p-6);
  CHECK(number(0x01, __NV_E4M3) == 0x1p-9);
  CHECK(std::isnan(number(0x7F, __NV_E4M3)));
  CHECK(std::isnan(number(0xFF, __NV_E4M3)));
  CHECK(number(0x7B, __NV_E5M2) == 57344.0);
  CHECK(number(0x04, __NV_E5M2) == 0x1p-14);
  CHECK(number(0x03, __NV_E5M2) == 0.75 * 0x1p-14);
  CHECK(number(0x01, __NV_E5M2) == 0x1p-16);
  CHECK(number(0x7C, __NV_E5M2) == kInf);
  CHECK(number(0xFC, __NV_E5M2) == -kInf);
  for (unsigned bits = 0x7D; bits <= 0x7F; ++bits) {
    CHECK(std::isnan(number(bits, __NV_E5M2)));
  }
}

TEST_CASE("fp8: every code has its value and comes back") {
  for (const __nv_fp8_interpretation_t kind : {__NV_E4M3, __NV_E5M2}) {
    const FormatOfNumbers& format = kind == __NV_E4M3 ? kE4m3Numbers : kE5m2Numbers;
    for (unsigned bits = 0; bits < 256; ++bits) {
      if (is_nan_code(bits, kind) || std::isinf(number(bits, kind))) {
        continue;
      }
      const double value = value_of_bits(format, bits, 0x80U);
      CHECK(same_number(number(bits, kind), value));
      CHECK(__nv_cvt_double_to_fp8(value, __NV_NOSAT, kind) == bits);
      CHECK(__nv_cvt_float_to_fp8(static_cast<float>(value), __NV_SATFINITE, kind) == bits);
      CHECK(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(__double2half(value)), __NV_SATFINITE,
                                    kind) == bits);
      CHECK(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(__double2bfloat16(value)),
                                        __NV_SATFINITE, kind) == bits);
    }
  }
}

TEST_CASE("fp8: numbers between two codes go to the nearest, ties to even") {
  for (const __nv_fp8_interpretation_t kind : {__NV_E4M3, __NV_E5M2}) {
    const FormatOfNumbers& format = kind == __NV_E4M3 ? kE4m3Numbers : kE5m2Numbers;
    for (unsigned bits = 0; bits < (kind == __NV_E4M3 ? 0x7EU : 0x7BU); ++bits) {
      const double middle =
          0.5 * (value_of_bits(format, bits, 0x80U) + value_of_bits(format, bits + 1, 0x80U));
      for (const double x : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, kInf)}) {
        const double expected = round_to_steps(format, x, simtRoundNearest);
        CHECK(number(__nv_cvt_double_to_fp8(x, __NV_NOSAT, kind), kind) == expected);
        CHECK(number(__nv_cvt_double_to_fp8(-x, __NV_SATFINITE, kind), kind) == -expected);
      }
    }
  }
}

TEST_CASE("fp8: a number that is too large saturates, or becomes infinite or NaN") {
  // 464 and 61440 are the midpoints above the largest numbers. A tie rounds to the even code, which
  // is 448 in e4m3; 57344 is odd in e5m2.
  CHECK(__nv_cvt_float_to_fp8(464.0f, __NV_NOSAT, __NV_E4M3) == 0x7E);
  CHECK(__nv_cvt_float_to_fp8(464.1f, __NV_NOSAT, __NV_E4M3) == 0x7F);
  CHECK(__nv_cvt_float_to_fp8(-464.1f, __NV_SATFINITE, __NV_E4M3) == 0xFE);
  CHECK(__nv_cvt_float_to_fp8(61439.0f, __NV_NOSAT, __NV_E5M2) == 0x7B);
  CHECK(__nv_cvt_float_to_fp8(61440.0f, __NV_NOSAT, __NV_E5M2) == 0x7C);
  CHECK(__nv_cvt_float_to_fp8(61440.0f, __NV_SATFINITE, __NV_E5M2) == 0x7B);
  CHECK(__nv_cvt_double_to_fp8(kInf, __NV_SATFINITE, __NV_E4M3) == 0x7E);
  CHECK(__nv_cvt_double_to_fp8(-kInf, __NV_NOSAT, __NV_E4M3) == 0xFF);
  CHECK(__nv_cvt_double_to_fp8(-kInf, __NV_SATFINITE, __NV_E5M2) == 0xFB);
  CHECK(__nv_cvt_double_to_fp8(kInf, __NV_NOSAT, __NV_E5M2) == 0x7C);
  CHECK(__nv_cvt_double_to_fp8(kNan, __NV_SATFINITE, __NV_E4M3) == 0x7F);
  CHECK(is_nan_code(__nv_cvt_double_to_fp8(kNan, __NV_SATFINITE, __NV_E5M2), __NV_E5M2));
  // A conversion from float maps every NaN to the same code (CUDA 12.4, cuda_fp8.hpp).
  const float nan = static_cast<float>(kNan);
  CHECK(__nv_cvt_float_to_fp8(-nan, __NV_NOSAT, __NV_E4M3) == 0x7F);
  CHECK(__nv_cvt_float_to_fp8(-nan, __NV_SATFINITE, __NV_E5M2) == 0x7F);
  CHECK(__nv_cvt_double_to_fp8(1e300, __NV_NOSAT, __NV_E4M3) == 0x7F);
  CHECK(__nv_cvt_double_to_fp8(-1e-300, __NV_NOSAT, __NV_E4M3) == 0x80);
}

TEST_CASE("fp8: the classes") {
  CHECK(sizeof(__nv_fp8_e4m3) == 1);
  CHECK(sizeof(__nv_fp8x2_e5m2) == 2);
  CHECK(sizeof(__nv_fp8x4_e4m3) == 4);
  CHECK(std::is_trivially_copyable<__nv_fp8_e5m2>::value);
  CHECK(std::is_trivially_copyable<__nv_fp8x4_e5m2>::value);

  const __nv_fp8_e4m3 e(-1.7f);
  CHECK(static_cast<float>(e) == -1.75f);
  CHECK(static_cast<int>(e) == -1);
  CHECK(static_cast<unsigned char>(e) == 0);
  CHECK(static_cast<double>(__nv_fp8_e4m3(1e6)) == 448.0);
  CHECK(static_cast<float>(__nv_fp8_e5m2(static_cast<__half>(3.0f))) == 3.0f);
  CHECK(static_cast<float>(static_cast<__nv_bfloat16>(__nv_fp8_e5m2(6))) == 6.0f);
  CHECK_FALSE(static_cast<bool>(__nv_fp8_e5m2(-0.0f)));

  const __nv_fp8x2_e4m3 two(make_float2(1.0f, -2.0f));
  CHECK(two.__x == 0xC038);
  CHECK(static_cast<float2>(two).y == -2.0f);
  const __nv_fp8x4_e5m2 four(make_float4(1.0f, 2.0f, -3.0f, 0.25f));
  const float4 back = static_cast<float4>(four);
  CHECK(back.x == 1.0f);
  CHECK(back.y == 2.0f);
  CHECK(back.z == -3.0f);
  CHECK(back.w == 0.25f);
  const __nv_fp8x4_e4m3 of_halves(__floats2half2_rn(1.0f, 2.0f), __floats2half2_rn(3.0f, 4.0f));
  CHECK(static_cast<float4>(of_halves).z == 3.0f);
  CHECK(__nv_cvt_float2_to_fp8x2(make_float2(1.0f, 2.0f), __NV_SATFINITE, __NV_E4M3) == 0x4038);
}
