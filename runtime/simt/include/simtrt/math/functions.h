// CUDA's mathematical functions in the global namespace: overloads for float and double, and names for
// float (sinf).
//
// Functions of the C library are used directly: <math.h> adds std's overloads to the global
// namespace. Functions that the C library lacks are defined here or in libsimt.so
// (simtrt/math/library.h); their float variants are computed in double and rounded once. Source of
// the names: CUDA 12.4, crt/math_functions.h.
#pragma once

#include <math.h>
#include <stdlib.h>
#ifdef __SIMTCC__  // As with nvcc, host sources (.cpp) may define functions with these names.
#include <simtrt/math/inlined.h>
#include <simtrt/math/library.h>
#include <simtrt/kernel/qualifiers.h>

// From these releases on, glibc has functions of C23: sinpi and cospi (2.41), rsqrt (2.42). The
// double functions are then glibc's.
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 41)
#define SIMTRT_LIBM_HAS_SINPI
#endif
#if __GLIBC_PREREQ(2, 42)
#define SIMTRT_LIBM_HAS_RSQRT
#endif
#endif

// ---- min and max. A signed and an unsigned integer compare as unsigned, as in CUDA. If one
// argument is NaN, the result is the other argument.

#define SIMT_MIN_MAX(Result, A, B)                                                   \
  inline Result min(const A a, const B b) {                                          \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }                                                                                  \
  inline Result max(const A a, const B b) {                                          \
    return static_cast<Result>(a) > static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }

SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned int, unsigned int, unsigned int)
SIMT_MIN_MAX(unsigned int, int, unsigned int)
SIMT_MIN_MAX(unsigned int, unsigned int, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(unsigned long, unsigned long, long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, long long)

#undef SIMT_MIN_MAX

// fmin and fmax are avoided, because compilers may not inline them. These functions return the same results, except for the
// sign of zero. The comparison for NaN stands alone, so that the compiler makes no branch: values that are sometimes the
// greater one would be mispredicted.
#define SIMT_FLOAT_MIN_MAX(Result, A, B)                      \
  inline Result min(const A a, const B b) {                   \
    const Result less = a > b ? Result(b) : Result(a);        \
    return a != a ? Result(b) : less;                         \
  }                                                           \
  inline Result max(const A a, const B b) {                   \
    const Result greater = a < b ? Result(b) : Result(a);     \
    return a != a ? Result(b) : greater;                      \
  }

SIMT_FLOAT_MIN_MAX(float, float, float)
SIMT_FLOAT_MIN_MAX(double, double, double)
SIMT_FLOAT_MIN_MAX(double, float, double)
SIMT_FLOAT_MIN_MAX(double, double, float)

#undef SIMT_FLOAT_MIN_MAX

inline unsigned int umin(const unsigned int a, const unsigned int b) { return min(a, b); }
inline unsigned int umax(const unsigned int a, const unsigned int b) { return max(a, b); }
inline long long llmin(const long long a, const long long b) { return min(a, b); }
inline long long llmax(const long long a, const long long b) { return max(a, b); }
inline unsigned long long ullmin(const unsigned long long a, const unsigned long long b) {
  return min(a, b);
}
inline unsigned long long ullmax(const unsigned long long a, const unsigned long long b) {
  return max(a, b);
}

// ---- functions of the C library without overloads for float

inline float exp10(float x) { return ::exp10f(x); }
inline float j0(float x) { return ::j0f(x); }
inline float j1(float x) { return ::j1f(x); }
inline float jn(int n, float x) { return ::jnf(n, x); }
inline float y0(float x) { return ::y0f(x); }
inline float y1(float x) { return ::y1f(x); }
inline float yn(int n, float x) { return ::ynf(n, x); }
inline void sincos(float x, float* sptr, float* cptr) { ::sincosf(x, sptr, cptr); }

// ---- reciprocal square root

#if !defined(SIMTRT_LIBM_HAS_RSQRT)
inline double rsqrt(double x) {
  const double r = 1.0 / ::sqrt(x);
  if (!(x > 0.0) || r == 0.0) {
    return r;
  }
  // One step of Newton's method removes the error of the second rounding.
  const double product = x * r;
  const double rest = ::fma(x, r, -product);
  return ::fma(0.5 * r, ::fma(-product, r, 1.0) - rest * r, r);
}
inline float rsqrtf(float x) { return static_cast<float>(1.0 / ::sqrt(static_cast<double>(x))); }
#endif
inline float rsqrt(float x) { return ::rsqrtf(x); }

// ---- one argument: name(double), namef(float), name(float)

#define SIMT_FLOAT_FROM_DOUBLE(name) \
  inline float name##f(float x) { return static_cast<float>(simtrt::name(static_cast<double>(x))); }
#define SIMT_UNARY_FUNCTION(name)                          \
  inline double name(double x) { return simtrt::name(x); } \
  SIMT_FLOAT_FROM_DOUBLE(name)                             \
  inline float name(float x) { return name##f(x); }

SIMT_UNARY_FUNCTION(cyl_bessel_i0)
SIMT_UNARY_FUNCTION(cyl_bessel_i1)
SIMT_UNARY_FUNCTION(erfcinv)
SIMT_UNARY_FUNCTION(erfcx)
SIMT_UNARY_FUNCTION(erfinv)
SIMT_UNARY_FUNCTION(normcdf)
SIMT_UNARY_FUNCTION(normcdfinv)
SIMT_UNARY_FUNCTION(rcbrt)
#if !defined(SIMTRT_LIBM_HAS_SINPI)
SIMT_UNARY_FUNCTION(sinpi)
SIMT_UNARY_FUNCTION(cospi)
#else
inline float sinpi(float x) { return ::sinpif(x); }
inline float cospi(float x) { return ::cospif(x); }
#endif

#undef SIMT_UNARY_FUNCTION
#undef SIMT_FLOAT_FROM_DOUBLE

inline void sincospi(double x, double* sptr, double* cptr) { simtrt::sincospi(x, sptr, cptr); }
inline void sincospif(float x, float* sptr, float* cptr) {
  double sine;
  double cosine;
  simtrt::sincospi(static_cast<double>(x), &sine, &cosine);
  *sptr = static_cast<float>(sine);
  *cptr = static_cast<float>(cosine);
}
inline void sincospi(float x, float* sptr, float* cptr) { ::sincospif(x, sptr, cptr); }

// ---- norms of vectors and their reciprocals

inline double norm(int dim, const double* p) { return simtrt::norm(dim, p); }
inline double rnorm(int dim, const double* p) { return simtrt::rnorm(dim, p); }
inline float normf(int dim, const float* p) { return simtrt::normf(dim, p); }
inline float rnormf(int dim, const float* p) { return simtrt::rnormf(dim, p); }

inline double norm3d(double a, double b, double c) {
  const double p[] = {a, b, c};
  return simtrt::norm(3, p);
}
inline double norm4d(double a, double b, double c, double d) {
  const double p[] = {a, b, c, d};
  return simtrt::norm(4, p);
}
inline double rhypot(double x, double y) {
  const double p[] = {x, y};
  return simtrt::rnorm(2, p);
}
inline double rnorm3d(double a, double b, double c) {
  const double p[] = {a, b, c};
  return simtrt::rnorm(3, p);
}
inline double rnorm4d(double a, double b, double c, double d) {
  const double p[] = {a, b, c, d};
  return simtrt::rnorm(4, p);
}
inline float norm3df(float a, float b, float c) {
  const float p[] = {a, b, c};
  return simtrt::normf(3, p);
}
inline float norm4df(float a, float b, float c, float d) {
  const float p[] = {a, b, c, d};
  return simtrt::normf(4, p);
}
inline float rhypotf(float x, float y) {
  const float p[] = {x, y};
  return simtrt::rnormf(2, p);
}
inline float rhypot(float x, float y) { return ::rhypotf(x, y); }
inline float rnorm3df(float a, float b, float c) {
  const float p[] = {a, b, c};
  return simtrt::rnormf(3, p);
}
inline float rnorm4df(float a, float b, float c, float d) {
  const float p[] = {a, b, c, d};
  return simtrt::rnormf(4, p);
}
#endif
