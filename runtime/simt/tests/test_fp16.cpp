// half: each of its 65536 codes, each rounding mode, arithmetic against an independent rounding,
// and the functions with special rules for NaN.
#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <simt_fp16.h>

#include "kernel_test.h"
#include "short_float_reference.h"

namespace {

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInf = std::numeric_limits<float>::infinity();

double number(__half h) { return static_cast<double>(__half2float(h)); }

__half code(unsigned bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }

/// A random finite half; all codes have the same probability.
template <class Random>
__half finite(Random& random) {
  for (;;) {
    const unsigned bits = random() & 0xFFFFU;
    if ((bits & 0x7C00U) != 0x7C00U) {
      return code(bits);
    }
  }
}

}  // namespace

TEST_CASE("half is two bytes that can be copied") {
  CHECK(sizeof(__half) == 2);
  CHECK(sizeof(__half2) == 4);
  CHECK(alignof(__half2) == 4);
  CHECK(std::is_trivially_copyable<__half>::value);
  CHECK(std::is_trivially_default_constructible<__half>::value);
  CHECK(std::is_trivially_copyable<__half2>::value);
  CHECK(std::is_standard_layout<__half2>::value);
}

TEST_CASE("half: known codes") {
  // IEEE 754 binary16: 65504 is the largest number, and 2^-24 the smallest positive number. The
  // codes of 1/3 and pi are well known.
  CHECK(__half_as_ushort(__half(1.0f)) == 0x3C00);
  CHECK(__half_as_ushort(__half(-2.0f)) == 0xC000);
  CHECK(__half_as_ushort(__half(65504.0f)) == 0x7BFF);
  CHECK(__half_as_ushort(__half(0x1p-14f)) == 0x0400);
  CHECK(__half_as_ushort(__half(0x1p-24f)) == 0x0001);
  CHECK(__half_as_ushort(__half(1.0f / 3.0f)) == 0x3555);
  CHECK(__half_as_ushort(__half(3.14159265f)) == 0x4248);
  CHECK(__half_as_ushort(__half(kInf)) == 0x7C00);
  CHECK(__half_as_ushort(__half(-kNan)) == 0x7FFF);
  CHECK(__half_as_short(__half(-0.0f)) == SHRT_MIN);
  CHECK(__half_as_ushort(SIMTRT_MAX_NORMAL_FP16) == 0x7BFF);
  CHECK(number(SIMTRT_MIN_DENORM_FP16) == 0x1p-24);
  CHECK(number(SIMTRT_ONE_FP16) == 1.0);
}

TEST_CASE("half: every code has its value and comes back") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const __half h = code(bits);
    if ((bits & 0x7C00U) == 0x7C00U) {
      const bool nan = (bits & 0x3FFU) != 0;
      wrong += nan ? !std::isnan(number(h)) || !__hisnan(h) || __hisinf(h) != 0
                   : !std::isinf(number(h)) || __hisnan(h) ||
                         __hisinf(h) != ((bits & 0x8000U) != 0 ? -1 : 1);
      wrong += __half_as_ushort(__float2half(__half2float(h))) != (nan ? 0x7FFF : bits);
      continue;
    }
    wrong += !same_number(number(h), value_of_bits(kHalfNumbers, bits, 0x8000U));
    wrong += __half_as_ushort(__float2half_rn(__half2float(h))) != bits;
    wrong += __half_as_ushort(__float2half_rz(__half2float(h))) != bits;
    wrong += __half_as_ushort(__float2half_ru(__half2float(h))) != bits;
    wrong += __half_as_ushort(__float2half_rd(__half2float(h))) != bits;
    wrong += __half_as_ushort(__double2half(number(h))) != bits;
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: numbers between two codes round in every direction") {
  std::mt19937 random(1);
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x7C00U; ++bits) {
    const double low = value_of_bits(kHalfNumbers, bits, 0x8000U);
    const double high = value_of_bits(kHalfNumbers, bits + 1, 0x8000U);
    const float middle = static_cast<float>(0.5 * (low + high));
    const float inside = static_cast<float>(low + (high - low) * (random() % 1000 + 1) / 1002.0);
    for (const float magnitude :
         {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, kInf), inside}) {
      for (const float x : {magnitude, -magnitude}) {
        const auto differs = [&](__half h, simtRoundMode mode) {
          return !same_number(number(h), round_to_format(kHalfNumbers, x, mode));
        };
        wrong += differs(__float2half(x), simtRoundNearest);
        wrong += differs(__float2half_rz(x), simtRoundZero);
        wrong += differs(__float2half_ru(x), simtRoundPosInf);
        wrong += differs(__float2half_rd(x), simtRoundMinInf);
        wrong += differs(__double2half(x), simtRoundNearest);
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: overflow and underflow") {
  CHECK(number(__float2half(65519.996f)) == 65504.0);
  CHECK(__half_as_ushort(__float2half(65520.0f)) == 0x7C00);
  CHECK(__half_as_ushort(__float2half_rz(1e30f)) == 0x7BFF);
  CHECK(__half_as_ushort(__float2half_ru(-1e30f)) == 0xFBFF);
  CHECK(__half_as_ushort(__float2half_rd(-1e30f)) == 0xFC00);
  CHECK(__half_as_ushort(__float2half_rz(kInf)) == 0x7C00);
  CHECK(__half_as_ushort(__float2half(-1e-30f)) == 0x8000);
  CHECK(__half_as_ushort(__float2half_ru(1e-30f)) == 0x0001);
  CHECK(__half_as_ushort(__float2half(0x1p-25f)) == 0x0000);
  CHECK(__half_as_ushort(__float2half(0x1.000002p-25f)) == 0x0001);
}

TEST_CASE("half: a double is rounded once") {
  // 1 + 2^-11 + 2^-40 is above the midpoint. If it were rounded to float first, it would be the
  // midpoint and round down.
  CHECK(number(__double2half(1.0 + 0x1p-11 + 0x1p-40)) == 1.0 + 0x1p-10);
  CHECK(number(__double2half(1.0 + 0x1p-11)) == 1.0);
}

TEST_CASE("half: sums, products and quotients are rounded once") {
  std::mt19937 random(2);
  int wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    const __half a = finite(random);
    const __half b = finite(random);
    const double x = number(a);
    const double y = number(b);
    const auto differs = [](__half h, double exact) {
      return !same_number(number(h), round_to_format(kHalfNumbers, exact, simtRoundNearest));
    };
    // Sums and products of halves are exact in double. No quotient is a midpoint of two halves.
    wrong += differs(__hadd(a, b), x + y);
    wrong += differs(__hsub(a, b), x - y);
    wrong += differs(__hmul(a, b), x * y);
    wrong += differs(__hdiv(a, b), x / y);
    if (x >= 0) {
      wrong += differs(hsqrt(a), std::sqrt(x));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: a fused multiply-add is rounded once") {
  std::mt19937 random(3);
  int wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    // The exponents are close, so the sum is exact in double.
    const __half a = __half((static_cast<float>(random() % 4096) - 2048.0f) * 0x1p-6f);
    const __half b = __half((static_cast<float>(random() % 4096) - 2048.0f) * 0x1p-8f);
    const __half c = __half((static_cast<float>(random() % 4096) - 2048.0f) * 0x1p-10f);
    const double exact = number(a) * number(b) + number(c);
    const double expected = round_to_format(kHalfNumbers, exact, simtRoundNearest);
    wrong += number(__hfma(a, b, c)) != expected;
  }
  CHECK(wrong == 0);
  // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20. If the product is rounded before the sum, the last term is
  // lost.
  const __half a(1.0f + 0x1p-10f);
  const __half c(-(1.0f + 0x1p-9f));
  CHECK(number(__hfma(a, a, c)) == 0x1p-20);
  CHECK(number(__hadd(__hmul(a, a), c)) == 0.0);
  // The product is the midpoint of two halves; adding the smallest half decides the rounding.
  const __half p = __half(1.5f);
  const __half q(1.0f + 0x1p-10f);
  CHECK(number(__hfma(p, q, code(0x0001))) == 1.5 + 0x1p-9);
  CHECK(number(__hfma(p, q, code(0x8001))) == 1.5 + 0x1p-10);
}

TEST_CASE("half: saturation and relu") {
  CHECK(number(__hadd_sat(__half(0.75f), __half(0.75f))) == 1.0);
  CHECK(number(__hsub_sat(__half(0.25f), __half(0.75f))) == 0.0);
  CHECK(number(__hmul_sat(__half(0.5f), __half(0.5f))) == 0.25);
  CHECK(__half_as_ushort(__hadd_sat(__half(kNan), __half(1.0f))) == 0x0000);
  CHECK(number(__hfma_sat(__half(2.0f), __half(2.0f), __half(2.0f))) == 1.0);
  CHECK(number(__hfma_relu(__half(2.0f), __half(-2.0f), __half(1.0f))) == 0.0);
  CHECK(number(__hfma_relu(__half(2.0f), __half(2.0f), __half(1.0f))) == 5.0);
  CHECK(__hisnan(__hfma_relu(__half(kNan), __half(2.0f), __half(1.0f))));
}

TEST_CASE("half: comparisons and NaN") {
  const __half one(1.0f);
  const __half two(2.0f);
  const __half nan(kNan);
  CHECK(__hlt(one, two));
  CHECK(__hne(one, two));
  CHECK(__heq(__half(0.0f), __half(-0.0f)));
  for (const __half other : {one, nan}) {
    CHECK_FALSE(__heq(nan, other));
    CHECK_FALSE(__hne(nan, other));
    CHECK_FALSE(__hlt(nan, other));
    CHECK_FALSE(__hge(nan, other));
    CHECK(__hequ(nan, other));
    CHECK(__hneu(nan, other));
    CHECK(__hltu(other, nan));
    CHECK(__hgeu(other, nan));
    CHECK(nan != other);
    CHECK_FALSE(nan == other);
  }
  CHECK_FALSE(__hgtu(one, two));
  CHECK_FALSE(__hequ(one, two));

  const __half2 a(one, nan);
  const __half2 b(one, one);
  CHECK(__heq2_mask(a, b) == 0x0000FFFFU);
  CHECK(__hequ2_mask(a, b) == 0xFFFFFFFFU);
  CHECK_FALSE(__hbeq2(a, b));
  CHECK(__hbequ2(a, b));
  CHECK(__low2float(__heq2(a, b)) == 1.0f);
  CHECK(__high2float(__heq2(a, b)) == 0.0f);
  CHECK(__high2float(__hisnan2(a)) == 1.0f);
}

TEST_CASE("half: minimum and maximum") {
  const __half nan(kNan);
  const __half one(1.0f);
  CHECK(number(__hmax(nan, one)) == 1.0);
  CHECK(number(__hmin(one, nan)) == 1.0);
  CHECK(__half_as_ushort(__hmax(nan, nan)) == 0x7FFF);
  CHECK(__half_as_ushort(__hmax_nan(nan, one)) == 0x7FFF);
  CHECK(__half_as_ushort(__hmin_nan(one, nan)) == 0x7FFF);
  CHECK(__half_as_ushort(__hmax(__half(-0.0f), __half(0.0f))) == 0x0000);
  CHECK(__half_as_ushort(__hmin(__half(0.0f), __half(-0.0f))) == 0x8000);
  CHECK(number(__hmax(__half(-3.0f), __half(-2.0f))) == -2.0);
  CHECK(number(__hmin_nan(__half(-3.0f), __half(2.0f))) == -3.0);
  CHECK(number(__habs(__half(-3.0f))) == 3.0);
  CHECK(__half_as_ushort(__hneg(__half(0.0f))) == 0x8000);
}

TEST_CASE("half: integers") {
  CHECK(__half2int_rn(__half(2.5f)) == 2);
  CHECK(__half2int_rz(__half(-2.5f)) == -2);
  CHECK(__half2int_ru(__half(2.25f)) == 3);
  CHECK(__half2int_rd(__half(-2.25f)) == -3);
  CHECK(__half2uint_rz(__half(-1.0f)) == 0U);
  CHECK(__half2short_rn(__half(65504.0f)) == SHRT_MAX);
  CHECK(__half2ushort_rn(__half(kInf)) == USHRT_MAX);
  CHECK(__half2char_rz(__half(-300.0f)) == SCHAR_MIN);
  CHECK(__half2uchar_rz(__half(300.0f)) == UCHAR_MAX);
  CHECK(__half2int_rz(__half(kNan)) == 0);
  CHECK(__half2ll_rz(__half(kNan)) == LLONG_MIN);
  CHECK(__half2ull_rn(__half(1024.0f)) == 1024ULL);
  CHECK(number(__int2half_rn(2049)) == 2048.0);
  CHECK(number(__int2half_ru(2049)) == 2050.0);
  CHECK(number(__int2half_rd(-2049)) == -2050.0);
  CHECK(number(__int2half_rz(INT_MAX)) == 65504.0);
  CHECK(number(__ll2half_rn(65519)) == 65504.0);
  CHECK(__hisinf(__ull2half_rn(65520)) == 1);
  CHECK(number(__short2half_rn(-7)) == -7.0);
  CHECK(number(__ushort2half_rz(65535)) == 65504.0);
}

TEST_CASE("half: conversions of the class") {
  const __half h = 2.75f;
  const float f = h;
  const int i = h;
  const unsigned char c = h;
  CHECK(f == 2.75f);
  CHECK(i == 2);
  CHECK(c == 2);
  CHECK(static_cast<long>(__half(-5)) == -5L);
  CHECK(static_cast<bool>(__half(0.5f)));
  CHECK_FALSE(static_cast<bool>(__half(-0.0f)));
  __half assigned;
  assigned = 3;
  CHECK(number(assigned) == 3.0);
  assigned = 0.1;
  CHECK(__half_as_ushort(assigned) == 0x2E66);
  const __half_raw raw = h;
  CHECK(raw.x == 0x4180);
  CHECK(number(__half(raw)) == 2.75);
  volatile __half v;
  volatile __half& same = v = raw;
  CHECK(static_cast<__half_raw>(same).x == 0x4180);
}

TEST_CASE("half: operators") {
  __half h(3.0f);
  h += __half(1.0f);
  h *= h;
  h -= __half(2.0f);
  h /= __half(4.0f);
  CHECK(number(h) == 3.5);
  CHECK(number(h++) == 3.5);
  CHECK(number(--h) == 3.5);
  CHECK(number(-h) == -3.5);
  CHECK(h > __half(3.0f));
  __half2 p(__half(1.0f), __half(2.0f));
  p = p * p + p;
  CHECK(p == __half2(__half(2.0f), __half(6.0f)));
  CHECK(-p < p);
  ++p;
  CHECK(__high2float(p) == 7.0f);
}

TEST_CASE("half: pairs") {
  const __half2 p = __floats2half2_rn(1.0f, 2.0f);
  const __half2 q = __float22half2_rn(make_float2(3.0f, 4.0f));
  CHECK(__half22float2(__lows2half2(p, q)).y == 3.0f);
  CHECK(__half22float2(__highs2half2(p, q)).x == 2.0f);
  CHECK(__low2float(__lowhigh2highlow(p)) == 2.0f);
  CHECK(__high2float(__low2half2(p)) == 1.0f);
  CHECK(number(__high2half(__high2half2(q))) == 4.0);
  CHECK(__low2float(__half2half2(__half(5.0f))) == 5.0f);
  CHECK(__high2float(make_half2(__half(1.0f), __half(6.0f))) == 6.0f);
  const __half2_raw raw = p;
  CHECK(raw.x == 0x3C00);
  CHECK(raw.y == 0x4000);
  // (1 + 2i)(3 + 4i) + (1 + 2i) = -4 + 12i
  const __half2 product = __hcmadd(p, q, p);
  CHECK(__low2float(product) == -4.0f);
  CHECK(__high2float(product) == 12.0f);
  CHECK(__high2float(__hfma2(p, q, p)) == 10.0f);
  CHECK(__low2float(__h2div(p, q)) == static_cast<float>(number(__half(1.0f / 3.0f))));
}

TEST_CASE("half: a pair is assigned a braced list or raw bits") {
  __half2 p;
  p = {__half(1.0f), __half(2.0f)};
  CHECK(p == __floats2half2_rn(1.0f, 2.0f));
  p = {3.0f, 4};
  CHECK(p == __floats2half2_rn(3.0f, 4.0f));
  p = __half2_raw{0x3C00, 0x4000};
  CHECK(p == __floats2half2_rn(1.0f, 2.0f));
  p = {};
  CHECK(p == __floats2half2_rn(0.0f, 0.0f));
}

TEST_CASE("half: mathematical functions are within one code of the exact value") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x10000U; bits += 7) {
    const __half h = code(bits);
    const double x = number(h);
    const auto differs = [](__half got, double exact) {
      if (std::isnan(exact)) {
        return !std::isnan(number(got));
      }
      const int distance = std::abs(static_cast<int>(__half_as_ushort(got)) -
                                    static_cast<int>(__half_as_ushort(__double2half(exact))));
      return distance > 1 && !same_number(number(got), exact);
    };
    wrong += differs(hexp(h), std::exp(x)) + differs(hexp2(h), std::exp2(x)) +
             differs(hexp10(h), std::pow(10.0, x)) + differs(hlog(h), std::log(x)) +
             differs(hlog2(h), std::log2(x)) + differs(hlog10(h), std::log10(x)) +
             differs(hsin(h), std::sin(x)) + differs(hcos(h), std::cos(x)) +
             differs(hrsqrt(h), 1.0 / std::sqrt(x)) + differs(hrcp(h), 1.0 / x);
    wrong += !same_number(number(hfloor(h)), std::floor(x)) && !std::isnan(x);
    wrong += !same_number(number(hceil(h)), std::ceil(x)) && !std::isnan(x);
    wrong += !same_number(number(htrunc(h)), std::trunc(x)) && !std::isnan(x);
    wrong += !same_number(number(hrint(h)), std::nearbyint(x)) && !std::isnan(x);
  }
  CHECK(wrong == 0);
  CHECK(__high2float(h2exp2(__floats2half2_rn(1.0f, 3.0f))) == 8.0f);
}

namespace {

/// Sums `count` halves: within a warp by shuffles, and over the warps by an atomic function for
/// pairs.
__global__ void sum_halves(const __half* in, int count, __half2* sums) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  __half value = i < count ? __ldg(in + i) : SIMTRT_ZERO_FP16;
  for (int lanes = warpSize / 2; lanes > 0; lanes /= 2) {
    value = __hadd(value, __shfl_xor_sync(simtrt::kAllLanes, value, lanes));
  }
  if (threadIdx.x % warpSize == 0) {
    atomicAdd(sums, __halves2half2(value, __hneg(value)));
  }
}

}  // namespace

TEST_CASE("half: kernels shuffle and add halves") {
  constexpr int count = 1000;
  std::vector<__half> values(count);
  for (int i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = i % 4 - 1;
  }
  const DeviceArray<__half> in(values);
  const DeviceArray<__half2> sums(1, __half2(0.0f, 0.0f));
  SIMT_LAUNCH((sum_halves), (8), (128), (0), (0), in.data(), count, sums.data());
  REQUIRE_FINISHED();
  // -1, 0, 1 and 2 occur 250 times each. Every intermediate sum is an integer below 2048, and thus
  // exact.
  const __half2 sum = sums.values()[0];
  CHECK(__low2float(sum) == 500.0f);
  CHECK(__high2float(sum) == -500.0f);
}
