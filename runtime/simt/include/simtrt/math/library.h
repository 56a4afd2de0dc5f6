// CUDA's mathematical functions that the C library lacks, in double. simtrt/math/functions.h
// defines CUDA's names for them. Errors, in units in the last place, are at most those documented
// for CUDA (CUDA C++ Programming Guide 12.4, "Mathematical Functions").
#pragma once

#include <simtrt/config.h>

namespace simtrt {

/// exp(x^2) erfc(x)
SIMTRT_EXPORT double erfcx(double x);
/// y with erf(y) = x; infinite for x = 1 and x = -1, NaN for |x| > 1.
SIMTRT_EXPORT double erfinv(double x);
/// y with erfc(y) = x; infinite for x = 0 and x = 2, NaN outside of [0, 2].
SIMTRT_EXPORT double erfcinv(double x);
/// Cumulative distribution function of the standard normal distribution, and its inverse.
SIMTRT_EXPORT double normcdf(double x);
SIMTRT_EXPORT double normcdfinv(double x);

/// Modified Bessel functions of the first kind, of order 0 and 1.
SIMTRT_EXPORT double cyl_bessel_i0(double x);
SIMTRT_EXPORT double cyl_bessel_i1(double x);

/// Euclidean norm of p[0..dim), and its reciprocal. An infinite element makes the norm infinite,
/// even if another element is NaN.
SIMTRT_EXPORT double norm(int dim, const double* p);
SIMTRT_EXPORT double rnorm(int dim, const double* p);
SIMTRT_EXPORT float normf(int dim, const float* p);
SIMTRT_EXPORT float rnormf(int dim, const float* p);
/// Reciprocal of the cube root.
SIMTRT_EXPORT double rcbrt(double x);

/// sin(pi x) and cos(pi x)
SIMTRT_EXPORT double sinpi(double x);
SIMTRT_EXPORT double cospi(double x);
SIMTRT_EXPORT void sincospi(double x, double* sine, double* cosine);

}  // namespace simtrt
