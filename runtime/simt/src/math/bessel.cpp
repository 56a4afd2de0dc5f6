// Modified Bessel functions of the first kind, which libm lacks. Source of the expansions: NIST
// Digital Library of Mathematical Functions, 10.25.2 and 10.40.1.
#include <cmath>
#include <limits>

#include <simtrt/math/library.h>

namespace simtrt {
namespace {

// From this argument on, the asymptotic series is accurate: its terms become small enough before
// they grow again.
constexpr double kAsymptotic = 25.0;
constexpr double kRelative = std::numeric_limits<double>::epsilon() / 8;

/// Sum over k of (x^2/4)^k / (k! (k+order)!) for order 0 or 1, by Horner's rule on a double `value`
/// and its rounding error `low`. Without `low`, rounding errors would add up to ten units in the
/// last place.
double power_series(int order, double x) {
  const double square = x * x;
  const double q = 0.25 * square;
  const double q_low = 0.25 * std::fma(x, x, -square);
  double value = 1.0;
  double low = 0.0;
  // With this number of terms, the remainder is below 1e-20 of the sum for all x up to 25.
  for (int k = 12 + static_cast<int>(1.7 * x); k > 0; --k) {
    const double divisor = static_cast<double>(k) * (k + order);
    const double product = q * value;
    const double product_low = std::fma(q, value, -product) + q * low + q_low * value;
    const double quotient = product / divisor;
    const double quotient_low = (std::fma(-quotient, divisor, product) + product_low) / divisor;
    value = 1.0 + quotient;
    const double part = value - 1.0;
    low = (1.0 - (value - part)) + (quotient - part) + quotient_low;
  }
  return value + low;
}

/// I_order(x) for a large x: exp(x) / sqrt(2 pi x) times the asymptotic series.
double asymptotic(int order, double x) {
  const double mu = 4.0 * order * order;
  double term = 1.0;
  double rest = 0.0;  // the sum without its first term, 1; small, with small errors
  for (int k = 1; std::fabs(term) > kRelative; ++k) {
    const double odd = 2.0 * k - 1.0;
    term *= -(mu - odd * odd) / (8.0 * x * k);
    rest += term;
  }
  const double scaled = (1.0 + rest) / std::sqrt(2.0 * M_PI * x);
  if (x < 709.0) {
    return std::exp(x) * scaled;
  }
  // exp(x) is computed as a product of two factors, because exp(x) overflows for smaller x than
  // I(x).
  const double root = std::exp(0.5 * x);
  return root * scaled * root;
}

}  // namespace

double cyl_bessel_i0(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < 720.0)) {
    return x != x ? x : std::numeric_limits<double>::infinity();
  }
  return magnitude < kAsymptotic ? power_series(0, magnitude) : asymptotic(0, magnitude);
}

double cyl_bessel_i1(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < 720.0)) {
    return x != x ? x : std::copysign(std::numeric_limits<double>::infinity(), x);
  }
  const double value = magnitude < kAsymptotic ? 0.5 * magnitude * power_series(1, magnitude)
                                               : asymptotic(1, magnitude);
  return std::copysign(value, x);
}

}  // namespace simtrt
