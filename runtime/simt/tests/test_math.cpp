// Mathematical functions that the C library lacks, overloads, and constants.
#include <doctest/doctest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <vector>

#include <simt_complex.h>
#include <simt_math_constants.h>
#include <simt_math_functions.h>

namespace {

const double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

/// Number of doubles (or floats) between two numbers of the same sign.
double distance(double a, double b) {
  return a == b ? 0.0
                : std::fabs(static_cast<double>(simtrt::bit_cast<std::int64_t>(a) -
                                                simtrt::bit_cast<std::int64_t>(b)));
}
double distance(float a, float b) {
  return a == b ? 0.0
                : std::fabs(static_cast<double>(simtrt::bit_cast<std::int32_t>(a)) -
                            static_cast<double>(simtrt::bit_cast<std::int32_t>(b)));
}

struct Point {
  double x;
  double value;
};

struct Function {
  const char* name;
  double (*in_double)(double);
  float (*in_float)(float);
  // Largest error that CUDA documents for double, in units in the last place (CUDA C++ Programming
  // Guide 12.4, table of double-precision functions).
  double bound;
  std::vector<Point> points;
};

/// The values were computed with 50 digits by mpmath 1.4.1.
const std::vector<Function>& functions() {
  static const std::vector<Function> table = {
      {"erfcx",
       ::erfcx,
       ::erfcxf,
       4,
       {{-26.0, 7.657724931490568351526774e+293},
        {-3.25, 77315.13640375607671231785},
        {-0.75, 3.003171663627452308696662},
        {0.0009765625, 0.998899020193814180965647},
        {0.25, 0.7703465477309967439167392},
        {0.75, 0.5069376502931448057914318},
        {2.0, 0.2553956763105057438650886},
        {5.5, 0.1009622183994990882327985},
        {20.0, 0.02817434874105131931864915},
        {100000.0, 0.000005641895835195468077749231},
        {1e+200, 5.641895835477563040243366e-201}}},
      {"erfinv",
       ::erfinv,
       ::erfinvf,
       5,
       {{1e-300, 8.862269254527580358571257e-301},
        {0.001953125, 0.001730913692415065473595065},
        {0.25, 0.225312055012178104725014},
        {-0.5, -0.4769362762044698733814184},
        {0.51171875, 0.4900568887380148569611762},
        {0.75, 0.8134198475976185416902894},
        {-0.9375, -1.31715033498613074888393},
        {0.9999847412109375, 3.058179581850916090167839},
        {0.9999999999999999, 5.863584748755167927207663}}},
      {"erfcinv",
       ::erfcinv,
       ::erfcinvf,
       6,
       {{2.2250738585072014e-308, 26.54325845425098138247022},
        {1e-20, 6.601580622355142565624346},
        {0.0625, 1.31715033498613074888393},
        {0.46875, 0.512309033634642368502835},
        {0.5, 0.4769362762044698733814184},
        {0.75, 0.225312055012178104725014},
        {1.0009765625, -0.000865456197967137553451212},
        {1.75, -0.8134198475976185416902894},
        {1.9999999999999991, -5.686128441310390980051604}}},
      {"normcdf",
       ::normcdf,
       ::normcdff,
       5,
       {{-38.0, 2.88542836006878430835097e-316},
        {-37.5, 4.605353009581954843827969e-308},
        {-12.5, 3.732564298877713377225836e-36},
        {-5.0, 0.0000002866515718791939116737523},
        {-1.5, 0.06680720126885806600449404},
        {-1.0, 0.1586552539314570514147675},
        {-0.25, 0.4012936743170762757591462},
        {0.5, 0.6914624612740131036377046},
        {3.0, 0.9986501019683699054733482}}},
      {"normcdfinv",
       ::normcdfinv,
       ::normcdfinvf,
       8,
       {{1e-300, -37.04709629936119923654704},
        {0.0009765625, -3.09726907819878446236483},
        {0.25, -0.674489750196081743202227},
        {0.50048828125, 0.001223939892804980180826477},
        {0.75, 0.674489750196081743202227},
        {0.9990234375, 3.09726907819878446236483}}},
      {"cyl_bessel_i0",
       ::cyl_bessel_i0,
       ::cyl_bessel_i0f,
       6,
       {{0.0, 1.0},
        {0.5, 1.063483370741323519263184},
        {2.0, 2.279585302336067267437204},
        {10.0, 2815.716628466254471469811},
        {24.5, 3538383451.217241484693226},
        {25.5, 9425875965.317676387642308},
        {100.0, 1.073751707131073823519721e+42},
        {713.0, 6.705128263670996672917276e+307}}},
      {"cyl_bessel_i1",
       ::cyl_bessel_i1,
       ::cyl_bessel_i1f,
       6,
       {{1e-10, 5.000000000000000182167237e-11},
        {0.5, 0.2578943053908963163624797},
        {-2.0, -1.590636854637329063382254},
        {10.0, 2670.988303701254654341032},
        {24.5, 3465402511.481485238386444},
        {25.5, 9239167088.556889132983031},
        {-100.0, -1.068369390338162481206146e+42},
        {713.0, 6.700424559186402501795694e+307}}},
      {"rcbrt",
       ::rcbrt,
       ::rcbrtf,
       1,
       {{2.0, 0.7937005259840997373758528},
        {-0.75, -1.10064241629820889462487},
        {1e+300, 9.999999999999999824984132e-101},
        {-5e-324, -5.871356456934583069723701e+107},
        {7.5, 0.5108729549290354043990837}}},
      {"sinpi",
       ::sinpi,
       ::sinpif,
       2,
       {{0.25, 0.7071067811865475244008444},
        {0.125, 0.38268343236508977172846},
        {-1.375, 0.9238795325112867561281832},
        {1e-300, 3.141592653589793317188102e-300},
        {12345.671875, -0.85772861000027206990227}}},
      {"cospi",
       ::cospi,
       ::cospif,
       2,
       {{0.25, 0.7071067811865475244008444},
        {0.125, 0.9238795325112867561281832},
        {-1.375, -0.38268343236508977172846},
        {0.5009765625, -0.003067956762965976270145365},
        {12345.671875, 0.5141027441932217265936938}}},
  };
  return table;
}

}  // namespace

TEST_CASE("functions of one argument are as accurate as CUDA's") {
  for (const Function& function : functions()) {
    CAPTURE(function.name);
    for (const Point& point : function.points) {
      CAPTURE(point.x);
      CHECK(distance(function.in_double(point.x), point.value) <= function.bound);
      const float x = static_cast<float>(point.x);
      const float expected = static_cast<float>(point.value);
      if (static_cast<double>(x) == point.x && std::isfinite(expected) && expected != 0.0f) {
        CHECK(distance(function.in_float(x), expected) <= 1.0);
      }
    }
  }
}

TEST_CASE("functions of one argument at the ends of their ranges") {
  CHECK(erfcx(-27.0) == kInf);
  CHECK(erfcx(kInf) == 0.0);
  CHECK(std::isnan(erfcx(kNan)));
  CHECK(erfinv(1.0) == kInf);
  CHECK(erfinv(-1.0) == -kInf);
  CHECK(std::isnan(erfinv(1.0000000000000002)));
  CHECK(std::signbit(erfinv(-0.0)));
  CHECK(erfcinv(0.0) == kInf);
  CHECK(erfcinv(2.0) == -kInf);
  CHECK(erfcinv(1.0) == 0.0);
  CHECK(std::isnan(erfcinv(-0.5)));
  CHECK(normcdf(0.0) == 0.5);
  CHECK(normcdf(-kInf) == 0.0);
  CHECK(normcdf(kInf) == 1.0);
  CHECK(std::isnan(normcdf(kNan)));
  CHECK(normcdfinv(0.5) == 0.0);
  CHECK(normcdfinv(0.0) == -kInf);
  CHECK(normcdfinv(1.0) == kInf);
  CHECK(std::isnan(normcdfinv(2.0)));
  CHECK(cyl_bessel_i0(-kInf) == kInf);
  CHECK(cyl_bessel_i0(714.0) == kInf);
  CHECK(cyl_bessel_i1(-kInf) == -kInf);
  CHECK(std::signbit(cyl_bessel_i1(-0.0)));
  CHECK(rcbrt(-0.0) == -kInf);
  CHECK(rcbrt(kInf) == 0.0);
  CHECK(rcbrt(-8.0) == -0.5);
}

TEST_CASE("sinpi and cospi are exact at multiples of one half") {
  for (const double n : {0.0, 1.0, 2.0, 3.0, 1e15, 0x1p60}) {
    CHECK(sinpi(n) == 0.0);
    CHECK_FALSE(std::signbit(sinpi(n)));
    CHECK(std::signbit(sinpi(-n)));
    CHECK(cospi(n) == (std::fmod(n, 2.0) == 0.0 ? 1.0 : -1.0));
  }
  CHECK(sinpi(0.5) == 1.0);
  CHECK(sinpi(-1.5) == 1.0);
  CHECK(cospi(2.5) == 0.0);
  CHECK_FALSE(std::signbit(cospi(-0.5)));
  CHECK(std::isnan(sinpi(kInf)));
  double sine;
  double cosine;
  sincospi(1.0 / 6.0, &sine, &cosine);
  CHECK(distance(sine, 0.5) <= 1.0);
  float sine_f;
  float cosine_f;
  sincospi(1.0f, &sine_f, &cosine_f);
  CHECK(sine_f == 0.0f);
  CHECK(cosine_f == -1.0f);
  sincos(0.5f, &sine_f, &cosine_f);
  CHECK(sine_f == std::sin(0.5f));
  CHECK(cosine_f == std::cos(0.5f));
}

TEST_CASE("lengths neither overflow nor underflow") {
  CHECK(norm3d(2.0, 3.0, 6.0) == 7.0);
  CHECK(norm4d(1.0, 2.0, 4.0, 10.0) == 11.0);
  CHECK(norm3d(2e300, 3e300, 6e300) == doctest::Approx(7e300).epsilon(1e-15));
  CHECK(norm3d(2 * 0x1p-1074, 3 * 0x1p-1074, 6 * 0x1p-1074) == 7 * 0x1p-1074);
  CHECK(rnorm3d(2e-300, -3e-300, 6e-300) == doctest::Approx(1.0 / 7e-300).epsilon(1e-15));
  CHECK(rnorm4d(1.0, 2.0, 2.0, 4.0) == 0.2);
  CHECK(rhypot(3.0, 4.0) == 0.2);
  CHECK(rhypot(0.0, 0.0) == kInf);
  CHECK(rhypot(kNan, kInf) == 0.0);
  CHECK(norm3d(kInf, kNan, 1.0) == kInf);
  CHECK(std::isnan(norm3d(kNan, 2.0, 1.0)));
  const double d[] = {1.0, -1.0, 1.0, -1.0, 1.0};
  CHECK(distance(norm(5, d), std::sqrt(5.0)) <= 1.0);
  CHECK(distance(rnorm(5, d), 1.0 / std::sqrt(5.0)) <= 1.0);
  CHECK(norm(0, d) == 0.0);
  const float f[] = {3e30f, 4e30f};
  CHECK(normf(2, f) == 5e30f);
  CHECK(rnormf(2, f) == 1.0f / 5e30f);
  CHECK(norm3df(2e-30f, 3e-30f, 6e-30f) == 7e-30f);
  CHECK(rnorm4df(1.0f, 2.0f, 2.0f, 4.0f) == 0.2f);
  CHECK(rhypotf(3.0f, 4.0f) == 0.2f);
}

TEST_CASE("rsqrt is within one unit in the last place") {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    const double r = rsqrt(x);
    // 1/sqrt(x) must lie between the neighbours of r: x y^2 - 1 has opposite signs at the two
    // neighbours.
    const double up = std::nextafter(r, kInf);
    const double down = std::nextafter(r, 0.0);
    const auto residual = [x](double y) {
      const double square = y * y;
      return std::fma(x, square, -1.0) + x * std::fma(y, y, -square);
    };
    CHECK(residual(up) > 0.0);
    CHECK(residual(down) < 0.0);
  }
  CHECK(rsqrt(4.0) == 0.5);
  CHECK(rsqrt(0.0) == kInf);
  CHECK(rsqrt(kInf) == 0.0);
  CHECK(std::isnan(rsqrt(-1.0)));
  CHECK(rsqrt(0x1p-1074) == 0x1p537);
  CHECK(rsqrtf(0.25f) == 2.0f);
}

TEST_CASE("min and max have CUDA's overloads") {
  CHECK(min(3, -4) == -4);
  CHECK(max(3L, -4L) == 3L);
  CHECK(max(3ULL, 4ULL) == 4ULL);
  // Mixed signs compare as unsigned.
  CHECK(max(-1, 1U) == UINT_MAX);
  CHECK(min(-1LL, 1ULL) == 1ULL);
  CHECK(std::is_same<decltype(max(1, 1U)), unsigned int>::value);
  CHECK(std::is_same<decltype(max(1L, 1UL)), unsigned long>::value);
  CHECK(std::is_same<decltype(max(1.0f, 1.0f)), float>::value);
  CHECK(std::is_same<decltype(min(1.0f, 1.0)), double>::value);
  CHECK(max(std::nanf(""), 1.0f) == 1.0f);
  CHECK(min(1.0, kNan) == 1.0);
  CHECK(umin(1U, 2U) == 1U);
  CHECK(llmax(-1LL, -2LL) == -1LL);
  CHECK(ullmin(~0ULL, 5ULL) == 5ULL);
}

TEST_CASE("overloads for float give float") {
  CHECK(std::is_same<decltype(sin(1.0f)), float>::value);
  CHECK(std::is_same<decltype(rsqrt(1.0f)), float>::value);
  CHECK(std::is_same<decltype(erfinv(1.0f)), float>::value);
  CHECK(std::is_same<decltype(exp10(1.0f)), float>::value);
  CHECK(std::is_same<decltype(abs(-1.0f)), float>::value);
  CHECK(std::is_same<decltype(abs(-1L)), long>::value);
  CHECK(std::is_same<decltype(jn(1, 1.0f)), float>::value);
  CHECK(std::is_same<decltype(fma(1.0f, 1.0f, 1.0f)), float>::value);
  CHECK(exp10(2.0f) == 100.0f);
  CHECK(abs(-2.5f) == 2.5f);
  CHECK(isnan(std::nanf("")));
  CHECK(signbit(-0.0));
}

TEST_CASE("the names are compatible with those of namespace std") {
  using namespace std;  // as in code that was written for nvcc
  const size_t a = 1;
  const unsigned char c = 2;
  CHECK(max(a, a) == 1);
  CHECK(max(c, c) == 2);
  CHECK(min(1.5, 2.5) == 1.5);
  CHECK(abs(-3) == 3);
  CHECK(pow(2.0f, 3) == 8.0);
  CHECK(norm(complex<double>(3.0, 4.0)) == 25.0);
  CHECK(isinf(-kInf));
}

/// Largest error of `function` in units of the last place, over special numbers and every `kStep`th float.
template <class Function, class Reference>
double largest_error(const Function& function, const Reference& reference) {
  constexpr std::uint64_t kStep = 4099;
  const float infinity = std::numeric_limits<float>::infinity();
  const float least = std::numeric_limits<float>::denorm_min();
  std::vector<float> numbers = {0.0f, -0.0f, infinity, -infinity, least, -least, 88.72284f, -103.972084f};
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFFu; bits += kStep)
    numbers.push_back(simtrt::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  double largest = 0;
  for (const float x : numbers) {
    const float value = function(x);
    const double exact = reference(static_cast<double>(x));
    const float rounded = static_cast<float>(exact);
    if (std::isnan(exact) || std::isinf(rounded) || rounded == 0.0f) {
      const bool right = std::isnan(exact) ? std::isnan(value)
                                           : value == rounded && std::signbit(value) == std::signbit(rounded);
      CHECK_MESSAGE(right, x);
      continue;
    }
    const int exponent = std::max(std::ilogb(rounded), -126);
    largest = std::max(largest, std::fabs(value - exact) / std::ldexp(1.0, exponent - 23));
  }
  return largest;
}

TEST_CASE("exp, erf and tanh of float are as exact as CUDA's") {
  CHECK_LE(largest_error([](float x) { return std::exp(x); }, [](double x) { return std::exp(x); }), 1.0);
  CHECK_LE(largest_error([](float x) { return ::erff(x); }, [](double x) { return std::erf(x); }), 1.3);
  CHECK_LE(largest_error([](float x) { return std::tanh(x); }, [](double x) { return std::tanh(x); }), 1.1);
}

__attribute__((noinline)) float single_erf(float x) { return std::erf(x); }

TEST_CASE("A vectorized loop has the results of single calls") {
  std::vector<float> numbers(1003);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = (static_cast<float>(i) - 500.0f) * 0.0117f;
  std::vector<float> results(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) results[i] = std::erf(numbers[i]);
  for (std::size_t i = 0; i < numbers.size(); ++i) CHECK_EQ(results[i], single_erf(numbers[i]));
}

TEST_CASE("constants") {
  CHECK(SIMTRT_PI == std::acos(-1.0));
  CHECK(SIMTRT_PI_F == static_cast<float>(SIMTRT_PI));
  CHECK(SIMTRT_INF == kInf);
  CHECK(std::isnan(SIMTRT_NAN_F));
  CHECK(SIMTRT_MAX_NORMAL_F == std::numeric_limits<float>::max());
  CHECK(SIMTRT_MIN_DENORM == std::numeric_limits<double>::denorm_min());
  CHECK(std::signbit(SIMTRT_NEG_ZERO));
  CHECK(SIMTRT_SQRT_TWO == std::sqrt(2.0));
  CHECK(SIMTRT_LN2 == std::log(2.0));
  CHECK(SIMTRT_REMQUO_MASK_F == 7U);
  // Adding 1.5 * 2^52 rounds a double to an integer, which the low bits of the sum contain.
  CHECK(static_cast<int>(simtrt::bit_cast<std::int64_t>(-5.25 + SIMTRT_DBL2INT_CVT)) == -5);
}

TEST_CASE("complex numbers") {
  const simtDoubleComplex a = make_simtDoubleComplex(1.0, 2.0);
  const simtDoubleComplex b = make_simtDoubleComplex(3.0, -4.0);
  CHECK(simtCreal(simtCmul(a, b)) == 11.0);
  CHECK(simtCimag(simtCmul(a, b)) == 2.0);
  CHECK(simtCreal(simtCdiv(simtCmul(a, b), b)) == doctest::Approx(1.0));
  CHECK(simtCimag(simtCdiv(simtCmul(a, b), b)) == doctest::Approx(2.0));
  CHECK(simtCabs(b) == 5.0);
  CHECK(simtCabs(make_simtDoubleComplex(3e300, 4e300)) == doctest::Approx(5e300));
  // The divisor's square overflows.
  const simtDoubleComplex large = make_simtDoubleComplex(1e300, 1e300);
  CHECK(simtCreal(simtCdiv(large, large)) == doctest::Approx(1.0));
  CHECK(simtCimag(simtConj(a)) == -2.0);
  CHECK(simtCreal(simtCfma(a, b, a)) == 12.0);
  CHECK(simtCimag(simtCsub(a, b)) == 6.0);
  const simtComplex f = simtComplexDoubleToFloat(simtCadd(a, b));
  CHECK(simtCrealf(f) == 4.0f);
  CHECK(simtCimagf(simtCmulf(f, make_simtFloatComplex(0.0f, 1.0f))) == 4.0f);
  CHECK(simtCabsf(make_simtComplex(-3.0f, 4.0f)) == 5.0f);
}
