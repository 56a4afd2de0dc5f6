// Functions of CUDA's mathematics that the C library does not have, in double. simtrt/math/functions.h gives
// them CUDA's names. Errors, in units in the last place, are at most those that CUDA documents
// (CUDA C++ Programming Guide 12.4, "Mathematical Functions").
#pragma once

#include <simtrt/config.h>

namespace simtrt {

/// exp(x^2) erfc(x)
SIMTRT_EXPORT double erfcx(double x);
/// The y with erf(y) = x; infinite for 1 and -1, NaN beyond.
SIMTRT_EXPORT double erfinv(double x);
/// The y with erfc(y) = x; infinite for 0 and 2, NaN beyond.
SIMTRT_EXPORT double erfcinv(double x);
/// The normal distribution's function and its inverse.
SIMTRT_EXPORT double normcdf(double x);
SIMTRT_EXPORT double normcdfinv(double x);

/// Modified Bessel functions of the first kind, of order 0 and 1.
SIMTRT_EXPORT double cyl_bessel_i0(double x);
SIMTRT_EXPORT double cyl_bessel_i1(double x);

/// The length of p[0..dim) and its reciprocal. An infinite element makes the length infinite, also
/// beside a NaN.
SIMTRT_EXPORT double norm(int dim, const double* p);
SIMTRT_EXPORT double rnorm(int dim, const double* p);
SIMTRT_EXPORT float normf(int dim, const float* p);
SIMTRT_EXPORT float rnormf(int dim, const float* p);
/// The reciprocal of the cube root.
SIMTRT_EXPORT double rcbrt(double x);

/// sin(pi x) and cos(pi x)
SIMTRT_EXPORT double sinpi(double x);
SIMTRT_EXPORT double cospi(double x);
SIMTRT_EXPORT void sincospi(double x, double* sine, double* cosine);

}  // namespace simtrt
