// Complex numbers with the names and layout of CUDA 12.4's cuComplex.h. x is the real part, y the
// imaginary part.
#pragma once
#define SIMT_COMPLEX_H  // Programs test this macro to learn whether the header was included.

#include <math.h>

#include <simt_vector_types.h>
#include <simtrt/kernel/qualifiers.h>

typedef float2 simtFloatComplex;
typedef double2 simtDoubleComplex;
typedef simtFloatComplex simtComplex;

inline simtFloatComplex make_simtFloatComplex(float r, float i) { return make_float2(r, i); }
inline simtDoubleComplex make_simtDoubleComplex(double r, double i) { return make_double2(r, i); }
inline simtComplex make_simtComplex(float x, float y) { return make_float2(x, y); }

inline float simtCrealf(simtFloatComplex x) { return x.x; }
inline float simtCimagf(simtFloatComplex x) { return x.y; }
inline double simtCreal(simtDoubleComplex x) { return x.x; }
inline double simtCimag(simtDoubleComplex x) { return x.y; }

inline simtDoubleComplex simtComplexFloatToDouble(simtFloatComplex c) {
  return make_double2(static_cast<double>(c.x), static_cast<double>(c.y));
}
inline simtFloatComplex simtComplexDoubleToFloat(simtDoubleComplex c) {
  return make_float2(static_cast<float>(c.x), static_cast<float>(c.y));
}

extern "C++" {  // A program may include this header in a block extern "C", as it may include cuComplex.h.
namespace simtrt {

// Arithmetic for both precisions. Pair is float2 or double2.

template <class Pair>
inline Pair of_parts(decltype(Pair::x) real, decltype(Pair::x) imaginary) {
  Pair result;
  result.x = real;
  result.y = imaginary;
  return result;
}

template <class Pair>
inline Pair complex_multiply(Pair a, Pair b) {
  return of_parts<Pair>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/// Quotient. Both operands are scaled by the magnitude of the divisor, so that the divisor's square
/// neither overflows nor underflows.
template <class Pair>
inline Pair complex_divide(Pair a, Pair b) {
  const auto scale = decltype(Pair::x)(1) / (::fabs(b.x) + ::fabs(b.y));
  const Pair numerator = of_parts<Pair>(a.x * scale, a.y * scale);
  const Pair divisor = of_parts<Pair>(b.x * scale, b.y * scale);
  const auto inverse = decltype(Pair::x)(1) / (divisor.x * divisor.x + divisor.y * divisor.y);
  return of_parts<Pair>((numerator.x * divisor.x + numerator.y * divisor.y) * inverse,
                          (numerator.y * divisor.x - numerator.x * divisor.y) * inverse);
}

/// a * b + c
template <class Pair>
inline Pair complex_multiply_add(Pair a, Pair b, Pair c) {
  return of_parts<Pair>(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

}  // namespace simtrt
}  // extern "C++"

inline simtFloatComplex simtConjf(simtFloatComplex x) { return make_float2(x.x, -x.y); }
inline simtFloatComplex simtCaddf(simtFloatComplex x, simtFloatComplex y) {
  return make_float2(x.x + y.x, x.y + y.y);
}
inline simtFloatComplex simtCsubf(simtFloatComplex x, simtFloatComplex y) {
  return make_float2(x.x - y.x, x.y - y.y);
}
inline simtFloatComplex simtCmulf(simtFloatComplex x, simtFloatComplex y) {
  return simtrt::complex_multiply(x, y);
}
inline simtFloatComplex simtCdivf(simtFloatComplex x, simtFloatComplex y) {
  return simtrt::complex_divide(x, y);
}
inline float simtCabsf(simtFloatComplex x) { return ::hypotf(x.x, x.y); }

inline simtDoubleComplex simtConj(simtDoubleComplex x) { return make_double2(x.x, -x.y); }
inline simtDoubleComplex simtCadd(simtDoubleComplex x, simtDoubleComplex y) {
  return make_double2(x.x + y.x, x.y + y.y);
}
inline simtDoubleComplex simtCsub(simtDoubleComplex x, simtDoubleComplex y) {
  return make_double2(x.x - y.x, x.y - y.y);
}
inline simtDoubleComplex simtCmul(simtDoubleComplex x, simtDoubleComplex y) {
  return simtrt::complex_multiply(x, y);
}
inline simtDoubleComplex simtCdiv(simtDoubleComplex x, simtDoubleComplex y) {
  return simtrt::complex_divide(x, y);
}
inline double simtCabs(simtDoubleComplex x) { return ::hypot(x.x, x.y); }

/// x * y + d
inline simtComplex simtCfmaf(simtComplex x, simtComplex y, simtComplex d) {
  return simtrt::complex_multiply_add(x, y, d);
}
inline simtDoubleComplex simtCfma(simtDoubleComplex x, simtDoubleComplex y, simtDoubleComplex d) {
  return simtrt::complex_multiply_add(x, y, d);
}
