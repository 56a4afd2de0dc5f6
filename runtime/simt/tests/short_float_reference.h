// Independent reference for the 16-bit and 8-bit formats. It contains no bit manipulation: a double
// is scaled so that the format's spacing becomes 1, and rounded to an integer.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <simtrt/short_float/rounding.h>

/// Parameters of a format: exponent of the smallest normal number, binary digits after the point,
/// largest number.
struct FormatOfNumbers {
  int min_exponent;
  int digits;
  double largest;
};

constexpr FormatOfNumbers kHalfNumbers = {-14, 10, 65504.0};
constexpr FormatOfNumbers kBfloat16Numbers = {-126, 7, 0x1.FEp127};
constexpr FormatOfNumbers kE4m3Numbers = {-6, 3, 448.0};
constexpr FormatOfNumbers kE5m2Numbers = {-14, 2, 57344.0};

/// `x` rounded to the format's spacing, without a limit on the exponent; infinity is unchanged.
inline double round_to_steps(const FormatOfNumbers& format, double x, simtRoundMode mode) {
  if (x == 0.0 || !std::isfinite(x)) {
    return x;
  }
  const int exponent = std::ilogb(x) < format.min_exponent ? format.min_exponent : std::ilogb(x);
  const double steps = std::scalbn(x, format.digits - exponent);
  const double whole = mode == simtRoundNearest  ? std::nearbyint(steps)
                       : mode == simtRoundZero   ? std::trunc(steps)
                       : mode == simtRoundPosInf ? std::ceil(steps)
                                                 : std::floor(steps);
  return std::copysign(std::scalbn(whole, exponent - format.digits), x);
}

/// `x` rounded, with IEEE 754's overflow.
inline double round_to_format(const FormatOfNumbers& format, double x, simtRoundMode mode) {
  const double rounded = round_to_steps(format, x, mode);
  if (std::fabs(rounded) <= format.largest || !std::isfinite(x)) {
    return rounded;
  }
  const bool to_largest = mode == simtRoundZero || (mode == simtRoundPosInf && x < 0) ||
                          (mode == simtRoundMinInf && x > 0);
  return std::copysign(to_largest ? format.largest : std::numeric_limits<double>::infinity(), x);
}

/// Value of the bits of an IEEE-like format with `digits` digits after the point. The bits must not
/// denote infinity or NaN.
inline double value_of_bits(const FormatOfNumbers& format, unsigned bits, unsigned sign_bit) {
  const unsigned magnitude = bits & (sign_bit - 1);
  const unsigned field = magnitude >> format.digits;
  const double fraction = std::scalbn(magnitude & ((1U << format.digits) - 1), -format.digits);
  const double value =
      field == 0 ? std::scalbn(fraction, format.min_exponent)
                 : std::scalbn(1.0 + fraction, format.min_exponent + static_cast<int>(field) - 1);
  return (bits & sign_bit) != 0 ? -value : value;
}

/// True for equal numbers with equal signs of zero, and for two NaNs.
inline bool same_number(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}
