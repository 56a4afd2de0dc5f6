// bfloat16: every code and each rounding mode; arithmetic against an independent reference.
// Comparisons, minimum and maximum, and pairs share their implementation with half, and are tested
// fully for half.
#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <type_traits>

#include <simt_bf16.h>

#include "short_float_reference.h"

namespace {

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInf = std::numeric_limits<float>::infinity();

double number(__nv_bfloat16 h) { return static_cast<double>(__bfloat162float(h)); }

__nv_bfloat16 code(unsigned bits) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}

template <class Random>
__nv_bfloat16 finite(Random& random) {
  for (;;) {
    const unsigned bits = random() & 0xFFFFU;
    if ((bits & 0x7F80U) != 0x7F80U) {
      return code(bits);
    }
  }
}

}  // namespace

TEST_CASE("bfloat16 is two bytes that can be copied") {
  CHECK(sizeof(__nv_bfloat16) == 2);
  CHECK(sizeof(__nv_bfloat162) == 4);
  CHECK(std::is_trivially_copyable<__nv_bfloat16>::value);
  CHECK(std::is_trivially_default_constructible<__nv_bfloat16>::value);
  CHECK(std::is_trivially_copyable<__nv_bfloat162>::value);
}

TEST_CASE("bfloat16: known codes") {
  CHECK(__bfloat16_as_ushort(__nv_bfloat16(1.0f)) == 0x3F80);
  CHECK(__bfloat16_as_ushort(__nv_bfloat16(3.14159265f)) == 0x4049);
  CHECK(__bfloat16_as_ushort(__nv_bfloat16(1.0f / 3.0f)) == 0x3EAB);
  CHECK(__bfloat16_as_ushort(__nv_bfloat16(-kNan)) == 0x7FFF);
  CHECK(__bfloat16_as_ushort(__float2bfloat16(std::numeric_limits<float>::max())) == 0x7F80);
  CHECK(__bfloat16_as_ushort(__float2bfloat16_rz(std::numeric_limits<float>::max())) == 0x7F7F);
  CHECK(number(SIMTRT_MAX_NORMAL_BF16) == kBfloat16Numbers.largest);
  CHECK(number(SIMTRT_MIN_DENORM_BF16) == 0x1p-133);
  CHECK(__bfloat16_as_short(SIMTRT_NEG_ZERO_BF16) == SHRT_MIN);
}

TEST_CASE("bfloat16: every code has its value, and other numbers round in every direction") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x7F80U; ++bits) {
    const double low = value_of_bits(kBfloat16Numbers, bits, 0x8000U);
    const double high = value_of_bits(kBfloat16Numbers, bits + 1, 0x8000U);
    wrong += !same_number(number(code(bits)), low);
    wrong += !same_number(number(code(bits | 0x8000U)), -low);
    wrong += __bfloat16_as_ushort(__float2bfloat16(static_cast<float>(low))) != bits;
    const float middle = static_cast<float>(0.5 * (low + high));
    for (const float magnitude :
         {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, kInf)}) {
      for (const float x : {magnitude, -magnitude}) {
        const auto differs = [&](__nv_bfloat16 h, simtRoundMode mode) {
          return !same_number(number(h), round_to_format(kBfloat16Numbers, x, mode));
        };
        wrong += differs(__float2bfloat16(x), simtRoundNearest);
        wrong += differs(__float2bfloat16_rz(x), simtRoundZero);
        wrong += differs(__float2bfloat16_ru(x), simtRoundPosInf);
        wrong += differs(__float2bfloat16_rd(x), simtRoundMinInf);
        wrong += differs(__double2bfloat16(x), simtRoundNearest);
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("bfloat16: a double is rounded once") {
  CHECK(number(__double2bfloat16(1.0 + 0x1p-8 + 0x1p-40)) == 1.0 + 0x1p-7);
  CHECK(number(__double2bfloat16(1.0 + 0x1p-8)) == 1.0);
}

TEST_CASE("bfloat16: sums, products and quotients are rounded once") {
  std::mt19937 random(2);
  int wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    const __nv_bfloat16 a = finite(random);
    const __nv_bfloat16 b = finite(random);
    const double x = number(a);
    const double y = number(b);
    const auto differs = [](__nv_bfloat16 h, double exact) {
      return !same_number(number(h), round_to_format(kBfloat16Numbers, exact, simtRoundNearest));
    };
    // If the exponents are far apart, the sum is inexact in double, but rounds to the larger
    // operand in both formats.
    wrong += differs(__hadd(a, b), x + y);
    wrong += differs(__hsub(a, b), x - y);
    wrong += differs(__hmul(a, b), x * y);
    wrong += differs(__hdiv(a, b), x / y);
  }
  CHECK(wrong == 0);
}

TEST_CASE("bfloat16: a fused multiply-add is rounded once, however far apart the numbers are") {
  // 1.5 (1 + 2^-7) = 1.51171875 is the midpoint of two bfloat16 numbers.
  const __nv_bfloat16 a(1.5f);
  const __nv_bfloat16 b(1.0f + 0x1p-7f);
  CHECK(number(__hfma(a, b, __nv_bfloat16(0.0f))) == 1.515625);
  for (const float tiny : {0x1p-20f, 0x1p-60f, 0x1p-133f}) {
    CHECK(number(__hfma(a, b, __nv_bfloat16(tiny))) == 1.515625);
    CHECK(number(__hfma(a, b, __nv_bfloat16(-tiny))) == 1.5078125);
    CHECK(number(__hfma(__hneg(a), b, __nv_bfloat16(tiny))) == -1.5078125);
  }
  std::mt19937 random(3);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const __nv_bfloat16 x((static_cast<float>(random() % 512) - 256.0f) * 0x1p-6f);
    const __nv_bfloat16 y((static_cast<float>(random() % 512) - 256.0f) * 0x1p-8f);
    const __nv_bfloat16 z((static_cast<float>(random() % 512) - 256.0f) * 0x1p-10f);
    const double exact = number(x) * number(y) + number(z);
    wrong += number(__hfma(x, y, z)) != round_to_format(kBfloat16Numbers, exact, simtRoundNearest);
  }
  CHECK(wrong == 0);
}

TEST_CASE("bfloat16: NaN, infinity and the order of numbers") {
  const __nv_bfloat16 nan(kNan);
  const __nv_bfloat16 one(1.0f);
  CHECK(__hisnan(nan));
  CHECK(__hisinf(__nv_bfloat16(-kInf)) == -1);
  CHECK(number(__hmax(nan, one)) == 1.0);
  CHECK(__bfloat16_as_ushort(__hmax_nan(one, nan)) == 0x7FFF);
  CHECK(__bfloat16_as_ushort(__hmin(__nv_bfloat16(0.0f), __nv_bfloat16(-0.0f))) == 0x8000);
  CHECK(__hneu(nan, nan));
  CHECK_FALSE(__hne(nan, nan));
  CHECK(number(__hadd_sat(one, one)) == 1.0);
}

TEST_CASE("bfloat16: integers and other types") {
  CHECK(__bfloat162int_rn(__nv_bfloat16(2.5f)) == 2);
  CHECK(__bfloat162int_ru(__nv_bfloat16(-2.5f)) == -2);
  CHECK(__bfloat162short_rz(__nv_bfloat16(1e30f)) == SHRT_MAX);
  CHECK(__bfloat162ull_rz(__nv_bfloat16(0x1p63f)) == 1ULL << 63);
  CHECK(__bfloat162ll_rn(__nv_bfloat16(kNan)) == LLONG_MIN);
  CHECK(number(__int2bfloat16_rz(257)) == 256.0);
  CHECK(number(__int2bfloat16_rn(259)) == 260.0);
  CHECK(number(__int2bfloat16_ru(257)) == 258.0);
  CHECK(number(__ll2bfloat16_rd(-257)) == -258.0);
  CHECK(number(__ull2bfloat16_rn(~0ULL)) == 0x1p64);
  const __nv_bfloat16 b = 5;
  CHECK(static_cast<int>(b) == 5);
  CHECK(static_cast<float>(b * b) == 25.0f);
  CHECK(number(__nv_bfloat16(__half(0x1p-24f))) == 0x1p-24);
  CHECK(static_cast<float>(__half(__nv_bfloat16(1.5f))) == 1.5f);
}

TEST_CASE("bfloat16: pairs") {
  const __nv_bfloat162 p = __float22bfloat162_rn(make_float2(1.0f, 2.0f));
  const __nv_bfloat162 q = __floats2bfloat162_rn(3.0f, 4.0f);
  CHECK(__bfloat1622float2(__lows2bfloat162(p, q)).y == 3.0f);
  CHECK(number(__high2bfloat16(__high2bfloat162(q))) == 4.0);
  CHECK(__high2float(__bfloat162bfloat162(__nv_bfloat16(7.0f))) == 7.0f);
  CHECK(__low2float(__hfma2(p, q, p)) == 4.0f);
  CHECK(__high2float(p + q) == 6.0f);
  CHECK(__low2float(__hcmadd(p, q, p)) == -4.0f);
  CHECK(__hbgt2(q, p));
  CHECK(__hgt2_mask(q, make_bfloat162(__nv_bfloat16(9.0f), __nv_bfloat16(1.0f))) == 0xFFFF0000U);
}

TEST_CASE("bfloat16: a pair is assigned a braced list or raw bits") {
  __nv_bfloat162 p;
  p = {__nv_bfloat16(1.0f), __nv_bfloat16(2.0f)};
  CHECK(p == __floats2bfloat162_rn(1.0f, 2.0f));
  p = __nv_bfloat162_raw{0x4040, 0x4080};
  CHECK(p == __floats2bfloat162_rn(3.0f, 4.0f));
  p = {};
  CHECK(p == __floats2bfloat162_rn(0.0f, 0.0f));
}

TEST_CASE("bfloat16: mathematical functions are within one code of the exact value") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x10000U; bits += 13) {
    const __nv_bfloat16 h = code(bits);
    const double x = number(h);
    const auto differs = [](__nv_bfloat16 got, double exact) {
      if (std::isnan(exact)) {
        return !std::isnan(number(got));
      }
      const int distance =
          std::abs(static_cast<int>(__bfloat16_as_ushort(got)) -
                   static_cast<int>(__bfloat16_as_ushort(__double2bfloat16(exact))));
      return distance > 1 && !same_number(number(got), exact);
    };
    wrong += differs(hexp(h), std::exp(x)) + differs(hlog(h), std::log(x)) +
             differs(hsin(h), std::sin(x)) + differs(hcos(h), std::cos(x)) +
             differs(hsqrt(h), std::sqrt(x)) + differs(hrsqrt(h), 1.0 / std::sqrt(x)) +
             differs(hrcp(h), 1.0 / x) + differs(hexp10(h), std::pow(10.0, x));
  }
  CHECK(wrong == 0);
}
