// Functions related to the error function that libm lacks: erfcx, the inverses of erf and erfc, and
// the normal distribution function and its inverse.
#include <cmath>
#include <cstddef>
#include <limits>

#include <simtrt/math/library.h>

namespace simtrt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSqrtPi = 1.7724538509055160273;
constexpr double kTwoOverSqrtPi = 1.1283791670955125739;
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kSqrtTwo = 1.4142135623730950488;

// (1 + 2x) erfcx(x) for x >= 0 as a polynomial in t = (x - 4) / (x + 4), lowest power first. The
// form of the expansion is that of M. Shepherd and J. Laframboise, "Chebyshev Approximation of
// (1+2x)exp(x^2)erfc(x) in 0 <= x < inf", Math. Comp. 36 (1981); the coefficients are those of the
// Chebyshev series of degree 24, computed with 60 digits.
constexpr double kErfcxPolynomial[] = {
    1.2329951186255526,     -0.1396211168405623,     0.015379652102619604,
    0.06809705425466908,    -0.10103906603630056,    0.0937328349990944,
    -0.06633036581218697,   0.03716751552655567,     -0.016197734059799265,
    0.005031970067657489,   -0.0007577732613730956,  -0.00019925714661091188,
    0.0001506214900124047,  -2.4397746422436416e-05, -1.1221287012353486e-05,
    5.706604414895734e-06,  2.919733377963012e-07,   -8.210939042560568e-07,
    7.746992727017941e-08,  1.0633855618594884e-07,  -2.05606492756992e-08,
    -1.234686604382353e-08, 3.1695881915648173e-09,  9.311744978232572e-10,
    -2.659599690242689e-10,
};

double erfcx_positive(double x) {
  if (x < 0.5) {
    return std::exp(x * x) * std::erfc(x);
  }
  // Beyond this argument, 1/(x sqrt(pi)) is exact in double: the next term is smaller by a factor
  // of 1/(2 x^2).
  if (x > 1e8) {
    return 1.0 / (x * kSqrtPi);
  }
  const double t = (x - 4.0) / (x + 4.0);
  constexpr std::size_t count = sizeof(kErfcxPolynomial) / sizeof(kErfcxPolynomial[0]);
  double sum = kErfcxPolynomial[count - 1];
  for (std::size_t i = count - 1; i-- > 0;) {
    sum = std::fma(sum, t, kErfcxPolynomial[i]);
  }
  return sum / std::fma(2.0, x, 1.0);
}

/// Initial value for erfinv(x), with a relative error below 0.01: S. Winitzki, "A handy
/// approximation for the error function and its inverse", 2008. `log_1mx2` is log(1 - x^2).
double erfinv_estimate(double log_1mx2) {
  constexpr double a = 0.147;
  const double t = 2.0 / (M_PI * a) + 0.5 * log_1mx2;
  return std::sqrt(std::sqrt(t * t - log_1mx2 / a) - t);
}

/// erfinv for 0 <= x <= 0.5: Halley's method on erf(y) - x, which triples the digits at each step.
double erfinv_central(double x) {
  if (x < 1e-9) {
    return x / kTwoOverSqrtPi;
  }
  double y = erfinv_estimate(std::log1p(-x * x));
  for (int i = 0; i < 3; ++i) {
    const double step = (std::erf(y) - x) / (kTwoOverSqrtPi * std::exp(-y * y));
    y -= step / (1.0 + y * step);
  }
  return y;
}

/// erfcinv for 0 < q < 0.5: Newton's method on log(erfc(y)) - log(q), in which erfc does not
/// underflow.
double erfcinv_tail(double q) {
  const double log_q = std::log(q);
  double y = erfinv_estimate(log_q + std::log1p(1.0 - q));
  for (int i = 0; i < 5; ++i) {
    const double scaled = erfcx_positive(y);
    const double residual = std::log(scaled) - std::fma(y, y, log_q);
    y += residual * 0.5 * kSqrtPi * scaled;
  }
  return y;
}

}  // namespace

double erfcx(double x) {
  if (x >= 0.0) {
    return erfcx_positive(x);
  }
  // erfc(x) = 2 - erfc(-x). The rounding error of x^2 matters in exp(x^2) and is corrected.
  const double square = x * x;
  if (!(square < 720.0)) {
    return x != x ? x : kInfinity;
  }
  const double rest = std::fma(x, x, -square);
  const double power = std::exp(square);
  return std::fma(2.0, power, 2.0 * power * rest) - erfcx_positive(-x);
}

double erfinv(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < 1.0)) {
    return magnitude == 1.0 ? std::copysign(kInfinity, x) : kNan;
  }
  const double y = magnitude <= 0.5 ? erfinv_central(magnitude) : erfcinv_tail(1.0 - magnitude);
  return std::copysign(y, x);
}

double erfcinv(double x) {
  if (!(x > 0.0 && x < 2.0)) {
    return x == 0.0 ? kInfinity : x == 2.0 ? -kInfinity : kNan;
  }
  if (x < 0.5) {
    return erfcinv_tail(x);
  }
  // Both differences are exact in double.
  return x > 1.5 ? -erfcinv_tail(2.0 - x) : erfinv(1.0 - x);
}

double normcdf(double x) {
  if (x > -1.0) {
    return 0.5 * std::erfc(-x * kSqrtHalf);
  }
  if (x < -40.0) {
    return 0.0;
  }
  // erfc(z) = erfcx(z) exp(-z^2) with z^2 = x^2 / 2. The rounding error of x^2 is corrected.
  const double square = x * x;
  const double rest = std::fma(x, x, -square);
  const double scaled = erfcx_positive(-x * kSqrtHalf);
  const double factor = std::fma(-0.5 * rest, scaled, scaled) * 0.5;
  if (square < 1400.0) {
    return factor * std::exp(-0.5 * square);
  }
  // The exponential is computed as a product of two factors, so that only the result can be
  // subnormal, not a factor.
  const double root = std::exp(-0.25 * square);
  return factor * root * root;
}

double normcdfinv(double x) {
  return x > 0.0 && x < 1.0 ? -kSqrtTwo * erfcinv(2.0 * x)
         : x == 0.0         ? -kInfinity
         : x == 1.0         ? kInfinity
                            : kNan;
}

}  // namespace simtrt
