// Sine and cosine of multiples of pi. The argument is reduced exactly before the multiplication by
// pi.
#include <cmath>
#include <limits>

#include <simtrt/math/library.h>

namespace simtrt {
namespace {

constexpr double kPiHigh = 3.1415926535897932385;
constexpr double kPiLow = 1.2246467991473531772e-16;

/// sin(pi t) and cos(pi t) for |t| <= 1/4, computed from pi t with twice the precision of double.
struct SineCosine {
  double sine;
  double cosine;
};

SineCosine of_quarter(double t) {
  const double high = kPiHigh * t;
  const double low = std::fma(kPiHigh, t, -high) + kPiLow * t;
  const double sine = std::sin(high);
  const double cosine = std::cos(high);
  return {std::fma(cosine, low, sine), std::fma(-sine, low, cosine)};
}

}  // namespace

void sincospi(double x, double* sine, double* cosine) {
  if (!(std::fabs(x) < std::numeric_limits<double>::infinity())) {
    *sine = *cosine = x - x;
    return;
  }
  // Decomposes x into turn + half/2 + t, where turn is even.
  const double rest = std::remainder(x, 2.0);
  const double halves = std::nearbyint(2.0 * rest);
  const SineCosine value = of_quarter(rest - 0.5 * halves);
  switch (static_cast<int>(halves) & 3) {
    case 0:
      *sine = value.sine;
      *cosine = value.cosine;
      break;
    case 1:
      *sine = value.cosine;
      *cosine = -value.sine;
      break;
    case 2:
      *sine = -value.sine;
      *cosine = -value.cosine;
      break;
    default:
      *sine = -value.cosine;
      *cosine = value.sine;
      break;
  }
  // IEEE 754, sinPi and cosPi: the sine of an integer has the sign of x, the cosine of n + 1/2 is
  // +0.
  if (*sine == 0.0) {
    *sine = std::copysign(0.0, x);
  }
  if (*cosine == 0.0) {
    *cosine = 0.0;
  }
}

double sinpi(double x) {
  double sine;
  double cosine;
  sincospi(x, &sine, &cosine);
  return sine;
}

double cospi(double x) {
  double sine;
  double cosine;
  sincospi(x, &sine, &cosine);
  return cosine;
}

}  // namespace simtrt
