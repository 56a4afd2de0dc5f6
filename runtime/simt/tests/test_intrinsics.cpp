// Integer and conversion intrinsics: results by definition; for special arguments, by the PTX ISA.
#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <simtrt/intrinsics/intrinsics.h>

namespace {

const float kNanF = std::numeric_limits<float>::quiet_NaN();
const float kInfF = std::numeric_limits<float>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("counting and finding bits") {
  CHECK(__clz(0) == 32);
  CHECK(__clz(1) == 31);
  CHECK(__clz(-1) == 0);
  CHECK(__clzll(0) == 64);
  CHECK(__clzll(1LL << 40) == 23);
  CHECK(__ffs(0) == 0);
  CHECK(__ffs(12) == 3);
  CHECK(__ffs(INT_MIN) == 32);
  CHECK(__ffsll(1LL << 40) == 41);
  CHECK(__popc(0xF0F0F0F1U) == 17);
  CHECK(__popcll(~0ULL) == 64);
}

TEST_CASE("__brev mirrors the bits") {
  CHECK(__brev(1U) == 0x80000000U);
  CHECK(__brev(0x12345678U) == 0x1E6A2C48U);
  CHECK(__brevll(1ULL) == 0x8000000000000000ULL);
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const unsigned long long x = random();
    CHECK(__brevll(__brevll(x)) == x);
    for (int bit = 0; bit < 64; bit += 7) {
      CHECK((__brevll(x) >> (63 - bit) & 1) == (x >> bit & 1));
    }
  }
}

TEST_CASE("__fns finds the n-th set bit from a base") {
  // PTX ISA, "fns".
  CHECK(__fns(0xAAAAAAAAU, 0, 1) == 1);
  CHECK(__fns(0xAAAAAAAAU, 1, 1) == 1);
  CHECK(__fns(0xAAAAAAAAU, 0, 3) == 5);
  CHECK(__fns(0xAAAAAAAAU, 31, -1) == 31);
  CHECK(__fns(0xAAAAAAAAU, 6, -2) == 3);
  CHECK(__fns(0xAAAAAAAAU, 3, 0) == 3);
  CHECK(__fns(0xAAAAAAAAU, 2, 0) == 0xFFFFFFFFU);
  CHECK(__fns(0xAAAAAAAAU, 0, 17) == 0xFFFFFFFFU);
  CHECK(__fns(1U, 0, INT_MIN) == 0xFFFFFFFFU);
}

TEST_CASE("__byte_perm picks bytes of both words") {
  const unsigned int x = 0x33221100U;
  const unsigned int y = 0x77665544U;
  CHECK(__byte_perm(x, y, 0x3210U) == x);
  CHECK(__byte_perm(x, y, 0x7654U) == y);
  CHECK(__byte_perm(x, y, 0x0123U) == 0x00112233U);
  CHECK(__byte_perm(x, y, 0x7531U) == 0x77553311U);
  CHECK(__byte_perm(x, y, 0xFFFF3210U) == x);
  // The lowest three bits of each nibble select a byte.
  CHECK(__byte_perm(x, y, 0xBA98U) == x);
}

TEST_CASE("funnel shifts take the amount modulo 32 or up to 32") {
  const unsigned int lo = 0x89ABCDEFU;
  const unsigned int hi = 0x01234567U;
  CHECK(__funnelshift_l(lo, hi, 8) == 0x23456789U);
  CHECK(__funnelshift_r(lo, hi, 8) == 0x6789ABCDU);
  CHECK(__funnelshift_l(lo, hi, 0) == hi);
  CHECK(__funnelshift_r(lo, hi, 0) == lo);
  CHECK(__funnelshift_l(lo, hi, 32) == hi);
  CHECK(__funnelshift_lc(lo, hi, 32) == lo);
  CHECK(__funnelshift_lc(lo, hi, 40) == lo);
  CHECK(__funnelshift_r(lo, hi, 33) == (hi << 31 | lo >> 1));
  CHECK(__funnelshift_rc(lo, hi, 33) == hi);
}

TEST_CASE("upper halves of products, and products of 24 bits") {
  CHECK(__mulhi(INT_MIN, INT_MIN) == 0x40000000);
  CHECK(__mulhi(-1, 1) == -1);
  CHECK(__umulhi(0xFFFFFFFFU, 0xFFFFFFFFU) == 0xFFFFFFFEU);
  CHECK(__mul64hi(-1LL, 1LL) == -1LL);
  CHECK(__umul64hi(~0ULL, ~0ULL) == ~0ULL - 1);
  CHECK(__mul24(0xFF000003, 5) == 15);
  CHECK(__mul24(0x00FFFFFF, 2) == -2);
  CHECK(__umul24(0xFFFFFFFFU, 2U) == 0x01FFFFFEU);
}

TEST_CASE("sums of differences and averages do not overflow") {
  CHECK(__sad(INT_MIN, INT_MAX, 1U) == 0U);
  CHECK(__sad(3, -4, 10U) == 17U);
  CHECK(__usad(3U, 10U, 1U) == 8U);
  CHECK(__hadd(INT_MAX, INT_MAX) == INT_MAX);
  CHECK(__hadd(-3, 2) == -1);
  CHECK(__rhadd(-3, 2) == 0);
  CHECK(__uhadd(0xFFFFFFFFU, 0xFFFFFFFEU) == 0xFFFFFFFEU);
  CHECK(__urhadd(0xFFFFFFFFU, 0xFFFFFFFEU) == 0xFFFFFFFFU);
}

TEST_CASE("dot products of packed integers") {
  // (1, -2, 3, -4) . (5, 6, -7, 8) = 5 - 12 - 21 - 32
  const char4 a = make_char4(1, -2, 3, -4);
  const char4 b = make_char4(5, 6, -7, 8);
  CHECK(__dp4a(a, b, 100) == 40);
  CHECK(__dp4a(static_cast<int>(0xFC03FE01U), static_cast<int>(0x08F90605U), 100) == 40);
  CHECK(__dp4a(0xFFFFFFFFU, 0xFFFFFFFFU, 0U) == 4U * 255U * 255U);
  CHECK(__dp4a(make_uchar4(1, 2, 3, 4), make_uchar4(255, 1, 1, 1), 1U) == 265U);
  const short2 s = make_short2(1000, -2000);
  CHECK(__dp2a_lo(s, b, 1) == 1000 * 5 - 2000 * 6 + 1);
  CHECK(__dp2a_hi(s, b, 1) == 1000 * -7 - 2000 * 8 + 1);
  CHECK(__dp2a_hi(0xFFFF0001U, 0xFF020304U, 0U) == 2U + 65535U * 255U);
  // The sum of INT_MAX and four products (-128)^2 wraps around.
  const int lows = static_cast<int>(0x80808080U);
  CHECK(__dp4a(lows, lows, INT_MAX) == INT_MIN + 65535);
}

TEST_CASE("float to integer: directions") {
  CHECK(__float2int_rn(2.5f) == 2);
  CHECK(__float2int_rn(3.5f) == 4);
  CHECK(__float2int_rn(-2.5f) == -2);
  CHECK(__float2int_rz(-2.7f) == -2);
  CHECK(__float2int_ru(2.1f) == 3);
  CHECK(__float2int_rd(-2.1f) == -3);
  CHECK(__double2ll_rn(-0.5) == 0);
  CHECK(__double2ull_ru(1.0000000001) == 2ULL);
  CHECK(__double2uint_rd(4294967295.9) == 4294967295U);
}

TEST_CASE("float to integer: numbers out of range saturate") {
  CHECK(__float2int_rz(1e20f) == INT_MAX);
  CHECK(__float2int_rz(-kInfF) == INT_MIN);
  CHECK(__float2int_rn(2147483520.0f) == 2147483520);
  CHECK(__float2int_rn(2147483648.0f) == INT_MAX);
  CHECK(__float2uint_rz(-1.0f) == 0U);
  CHECK(__float2uint_rz(5e9f) == UINT_MAX);
  CHECK(__float2ll_rz(1e19f) == LLONG_MAX);
  CHECK(__float2ull_rz(kInfF) == ULLONG_MAX);
  CHECK(__double2int_rn(2147483647.5) == INT_MAX);
  CHECK(__double2int_rd(2147483647.5) == INT_MAX);
  CHECK(__double2ll_rn(-1e300) == LLONG_MIN);
}

TEST_CASE("float to integer: NaN") {
  // PTX ISA, "cvt": NaN becomes 0 if the source is not .f64 and the destination has fewer than 64
  // bits; otherwise only the most significant bit is set.
  CHECK(__float2int_rn(kNanF) == 0);
  CHECK(__float2uint_rz(kNanF) == 0U);
  CHECK(__float2ll_rn(kNanF) == LLONG_MIN);
  CHECK(__float2ull_rn(kNanF) == 0x8000000000000000ULL);
  CHECK(__double2int_rn(kNan) == INT_MIN);
  CHECK(__double2uint_rn(kNan) == 0x80000000U);
  CHECK(__double2ll_rn(kNan) == LLONG_MIN);
}

TEST_CASE("integer to float in all directions") {
  // 2^24 + 1 is the midpoint of two floats.
  const int middle = (1 << 24) + 1;
  CHECK(__int2float_rn(middle) == 16777216.0f);
  CHECK(__int2float_rz(middle) == 16777216.0f);
  CHECK(__int2float_ru(middle) == 16777218.0f);
  CHECK(__int2float_rd(middle) == 16777216.0f);
  CHECK(__int2float_rz(-middle) == -16777216.0f);
  CHECK(__int2float_ru(-middle) == -16777216.0f);
  CHECK(__int2float_rd(-middle) == -16777218.0f);
  CHECK(__int2float_rz(0) == 0.0f);
  CHECK(__uint2float_rz(0xFFFFFFFFU) == 4294967040.0f);
  CHECK(__uint2float_ru(0xFFFFFFFFU) == 4294967296.0f);
  CHECK(__ll2float_rd(LLONG_MIN) == -9223372036854775808.0f);
  CHECK(__ull2double_rz(~0ULL) == 18446744073709549568.0);
  CHECK(__ull2double_rn(~0ULL) == 18446744073709551616.0);
  CHECK(__ll2double_ru((1LL << 53) + 1) == 9007199254740994.0);
  CHECK(__int2double_rn(INT_MIN) == -2147483648.0);
}

TEST_CASE("double to float in all directions") {
  const double above = 1.0 + 0x1p-30;
  CHECK(__double2float_rn(above) == 1.0f);
  CHECK(__double2float_rz(above) == 1.0f);
  CHECK(__double2float_rd(above) == 1.0f);
  CHECK(__double2float_ru(above) == 1.0f + 0x1p-23f);
  CHECK(__double2float_rd(-above) == -1.0f - 0x1p-23f);
  CHECK(__double2float_rn(1e40) == kInfF);
  CHECK(__double2float_rz(1e40) == std::numeric_limits<float>::max());
  CHECK(__double2float_rd(1e40) == std::numeric_limits<float>::max());
  CHECK(__double2float_ru(-1e40) == -std::numeric_limits<float>::max());
  CHECK(__double2float_rd(-1e40) == -kInfF);
  CHECK(__double2float_ru(1e-60) == 0x1p-149f);
  CHECK(__double2float_rz(1e-60) == 0.0f);
  CHECK(std::isnan(__double2float_rz(kNan)));
}

TEST_CASE("directed conversions bracket the number") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                static_cast<int>(random() % 320) - 220);
    const float down = __double2float_rd(x);
    const float up = __double2float_ru(x);
    CHECK(static_cast<double>(down) <= x);
    CHECK(static_cast<double>(up) >= x);
    CHECK((down == up || std::nextafter(down, kInfF) == up));
    CHECK(__double2float_rz(x) == (x < 0 ? up : down));
    const long long n = static_cast<long long>(random());
    CHECK(__ll2float_rn(n) == static_cast<float>(n));
    CHECK(__ll2float_rd(n) <= __ll2float_rn(n));
    CHECK(__ll2float_ru(n) >= __ll2float_rn(n));
  }
}

TEST_CASE("bit casts") {
  CHECK(__float_as_int(-0.0f) == INT_MIN);
  CHECK(__float_as_uint(1.0f) == 0x3F800000U);
  CHECK(__int_as_float(0x40490FDB) == 3.14159274f);
  CHECK(__uint_as_float(0xFF800000U) == -kInfF);
  CHECK(__double_as_longlong(1.0) == 0x3FF0000000000000LL);
  CHECK(__longlong_as_double(0x4000000000000000LL) == 2.0);
  CHECK(__double2hiint(-2.0) == static_cast<int>(0xC0000000U));
  CHECK(__double2loint(__longlong_as_double(0x3FF00000FEDCBA98LL)) ==
        static_cast<int>(0xFEDCBA98U));
  CHECK(__hiloint2double(0x3FF80000, 0) == 1.5);
  CHECK(__hiloint2double(0, -1) == __longlong_as_double(0xFFFFFFFFLL));
}

TEST_CASE("fast functions at their edges") {
  CHECK(__saturatef(kNanF) == 0.0f);
  CHECK(__saturatef(-3.0f) == 0.0f);
  CHECK(__saturatef(0.25f) == 0.25f);
  CHECK(__saturatef(kInfF) == 1.0f);
  // CUDA C++ Programming Guide, "__fdividef": 0 for 2^126 < |y| < 2^128, NaN if x is infinite as
  // well.
  CHECK(__fdividef(3.0f, 2.0f) == 1.5f);
  CHECK(__fdividef(1e38f, 1.5e38f) == 0.0f);
  CHECK(std::isnan(__fdividef(kInfF, 1.5e38f)));
  CHECK(fdividef(1e38f, 2e38f) == 0.5f);
  CHECK(std::isnan(__powf(-2.0f, 2.0f)));
  CHECK(__powf(2.0f, 10.0f) == 1024.0f);
  float sine;
  float cosine;
  __sincosf(0.5f, &sine, &cosine);
  CHECK(sine == __sinf(0.5f));
  CHECK(cosine == __cosf(0.5f));
  CHECK(__exp10f(2.0f) == 100.0f);
  CHECK(__log2f(8.0f) == 3.0f);
}

TEST_CASE("arithmetic to nearest is not fused") {
  // a^2 is 1 + 2^-11 + 2^-24, and rounds to 1 + 2^-11. The difference is 0, unless the product is
  // fused and keeps its last bit.
  volatile float a = 1.0f + 0x1p-12f;
  CHECK(__fsub_rn(__fmul_rn(a, a), 1.0f + 0x1p-11f) == 0.0f);
  CHECK(__fmul_rn(a, a) - (1.0f + 0x1p-11f) == 0.0f);
  CHECK(__fmaf_rn(a, a, -(1.0f + 0x1p-11f)) == 0x1p-24f);
  volatile double d = 1.0 + 0x1p-30;
  CHECK(__dadd_rn(__dmul_rn(d, d), -(1.0 + 0x1p-29)) == 0.0);
  CHECK(__fma_rn(d, d, -(1.0 + 0x1p-29)) == 0x1p-60);
}

TEST_CASE("__frsqrt_rn is rounded once") {
  // y is the float nearest to 1/sqrt(x) if x lies between the squares of 1/(y + h) and 1/(y - h),
  // where h is half a unit in the last place of y. The comparison uses integers: y +- h has 25
  // bits, x has 24, and the product 74.
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t mantissa = random() & 0x7FFFFFU;
    const std::uint32_t binade = 126U + (random() & 1U);
    const float x = __uint_as_float(binade << 23 | mantissa);
    const float y = __frsqrt_rn(x);
    // y = Y 2^(e-23), x = X 2^(binade-150)
    int exponent;
    const float fraction = std::frexp(y, &exponent);
    const auto doubled = static_cast<unsigned __int128>(std::ldexp(fraction, 24)) * 2;
    const unsigned __int128 significand = mantissa | 0x800000U;
    // (doubled 2^(exponent-25))^2 x <= 1 means doubled^2 X <= 2^(50 - 2 exponent - binade + 150)
    const int shift = 50 - 2 * exponent - static_cast<int>(binade) + 150;
    const unsigned __int128 one = static_cast<unsigned __int128>(1) << shift;
    CHECK((doubled - 1) * (doubled - 1) * significand <= one);
    CHECK((doubled + 1) * (doubled + 1) * significand >= one);
  }
  CHECK(__frsqrt_rn(0.0f) == kInfF);
  CHECK(std::isnan(__frsqrt_rn(-1.0f)));
}

TEST_CASE("loads and stores with cache hints") {
  float4 v = make_float4(1, 2, 3, 4);
  float4 w;
  __stcg(&w, __ldg(&v));
  CHECK(__ldcg(&w).w == 4.0f);
  __stwt(&w, make_float4(5, 6, 7, 8));
  CHECK(__ldcv(&w).x == 5.0f);
  double d = 0;
  __stcs(&d, 2);
  __stwb(&d, __ldcs(&d) + 1);
  CHECK(__ldlu(&d) == 3.0);
  const unsigned char c = 200;
  CHECK(__ldca(&c) == 200);
}

TEST_CASE("directed rounding encloses the exact result") {
  const float third_down = __fdiv_rd(1.0f, 3.0f), third_up = __fdiv_ru(1.0f, 3.0f);
  CHECK_EQ(std::nextafter(third_down, 1.0f), third_up);
  CHECK_EQ(__fdiv_rz(-1.0f, 3.0f), -third_down);
  CHECK_EQ(__frcp_ru(3.0f), third_up);
  CHECK_EQ(__fadd_rd(1.0f, 1e-10f), 1.0f);
  CHECK_EQ(__fadd_ru(1.0f, 1e-10f), std::nextafter(1.0f, 2.0f));
  CHECK_EQ(__fsub_rz(1.0f, 1e-10f), std::nextafter(1.0f, 0.0f));
  CHECK_EQ(__dmul_ru(1.0 + 0x1p-52, 1.0 + 0x1p-52), 1.0 + 0x1p-51 + 0x1p-52);
  CHECK_EQ(__dsqrt_ru(2.0), std::nextafter(__dsqrt_rd(2.0), 2.0));
  CHECK_EQ(__fma_rd(1.0, 1.0, 1e-20), 1.0);
  CHECK_EQ(__fmaf_ru(1.0f, 1.0f, 1e-20f), std::nextafter(1.0f, 2.0f));
}
