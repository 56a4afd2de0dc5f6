// Norms of vectors and reciprocal roots without intermediate overflow: the arguments are scaled,
// the squares are summed with twice the precision of double (T. Ogita, S. Rump, S. Oishi, "Accurate
// Sum and Dot Product", 2005), and one step of Newton's method computes the root to within one unit
// in the last place.
#include <cmath>
#include <limits>

#include <simtrt/math/library.h>

namespace simtrt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Value of the sum: (high + low) * 4^exponent.
struct ScaledSum {
  double high;
  double low;
  int exponent;
};

/// Largest magnitude of the values; infinity takes precedence over NaN. A result of zero, infinity
/// or NaN is also the Euclidean norm of the values.
double largest(int count, const double* values) {
  double result = 0.0;
  bool nan = false;
  for (int i = 0; i < count; ++i) {
    const double magnitude = std::fabs(values[i]);
    nan = nan || magnitude != magnitude;
    result = magnitude > result ? magnitude : result;
  }
  return nan && result != kInfinity ? std::numeric_limits<double>::quiet_NaN() : result;
}

/// Sum of squares. `scale` is the largest magnitude; it must be finite and not 0.
ScaledSum sum_of_squares(int count, const double* values, double scale) {
  ScaledSum sum = {0.0, 0.0, std::ilogb(scale)};
  for (int i = 0; i < count; ++i) {
    const double value = std::scalbn(values[i], -sum.exponent);
    const double square = value * value;
    const double square_rest = std::fma(value, value, -square);
    const double next = sum.high + square;
    const double part = next - sum.high;
    sum.low += (sum.high - (next - part)) + (square - part) + square_rest;
    sum.high = next;
  }
  return sum;
}

double root(const ScaledSum& sum) {
  const double r = std::sqrt(sum.high);
  const double residual = std::fma(-r, r, sum.high) + sum.low;
  return std::scalbn(r + residual / (2.0 * r), sum.exponent);
}

double reciprocal_root(const ScaledSum& sum) {
  const double r = 1.0 / std::sqrt(sum.high);
  const double product = sum.high * r;
  const double product_rest = std::fma(sum.high, r, -product) + sum.low * r;
  const double residual = std::fma(-product, r, 1.0) - product_rest * r;
  return std::scalbn(std::fma(0.5 * r, residual, r), -sum.exponent);
}

/// Norm of p in double. Squares of floats do not overflow in double, and they are exact.
double wide_norm(int dim, const float* p) {
  double sum = 0.0;
  bool infinite = false;
  for (int i = 0; i < dim; ++i) {
    const double value = static_cast<double>(p[i]);
    sum += value * value;
    infinite = infinite || std::fabs(value) == kInfinity;
  }
  return infinite ? kInfinity : std::sqrt(sum);
}

}  // namespace

float normf(int dim, const float* p) { return static_cast<float>(wide_norm(dim, p)); }

float rnormf(int dim, const float* p) { return static_cast<float>(1.0 / wide_norm(dim, p)); }

double norm(int dim, const double* p) {
  const double scale = largest(dim, p);
  return scale > 0.0 && scale < kInfinity ? root(sum_of_squares(dim, p, scale)) : scale;
}

double rnorm(int dim, const double* p) {
  const double scale = largest(dim, p);
  return scale > 0.0 && scale < kInfinity ? reciprocal_root(sum_of_squares(dim, p, scale))
                                          : 1.0 / scale;
}

double rcbrt(double x) {
  if (x == 0.0 || !(std::fabs(x) < kInfinity)) {
    return 1.0 / x;
  }
  int exponent;
  double mantissa = std::frexp(x, &exponent);
  const int third = exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3);
  mantissa = std::ldexp(mantissa, exponent - 3 * third);

  const double y = 1.0 / std::cbrt(mantissa);
  const double square = y * y;
  const double square_rest = std::fma(y, y, -square);
  const double cube = square * y;
  const double cube_rest = std::fma(square, y, -cube) + square_rest * y;
  const double residual = std::fma(-mantissa, cube, 1.0) - mantissa * cube_rest;
  return std::ldexp(std::fma(y / 3.0, residual, y), -third);
}

}  // namespace simtrt
