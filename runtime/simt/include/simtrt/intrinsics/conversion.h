// CUDA's conversions with explicit rounding, and its bit casts. Source: CUDA Math API 12.4, "Type Casting
// Intrinsics". simtrt/short_float/rounding.h defines the results for NaN and out-of-range numbers.
#pragma once

#include <simtrt/kernel/qualifiers.h>
#include <simtrt/short_float/rounding.h>

namespace simtrt {

template <class Integer>
inline float integer_to_float(Integer value, simtRoundMode mode) {
  return bit_cast<float>(encode_integer<Binary32>(value, mode));
}

template <class Integer>
inline double integer_to_double(Integer value, simtRoundMode mode) {
  return bit_cast<double>(encode_integer<Binary64>(value, mode));
}

inline float double_to_float(double value, simtRoundMode mode) {
  return bit_cast<float>(
      convert<Binary32, Binary64>(bit_cast<std::uint64_t>(value), mode, 0x7FFFFFFFU));
}

}  // namespace simtrt

// Conversion of float or double to an integer, in the four rounding modes.
#define SIMT_TO_INTEGER(from, Float, to, Integer)                  \
  inline Integer __##from##2##to##_rn(Float x) {                   \
    return simtrt::float_to_integer<Integer, simtRoundNearest>(x); \
  }                                                                \
  inline Integer __##from##2##to##_rz(Float x) {                   \
    return simtrt::float_to_integer<Integer, simtRoundZero>(x);    \
  }                                                                \
  inline Integer __##from##2##to##_ru(Float x) {                   \
    return simtrt::float_to_integer<Integer, simtRoundPosInf>(x);  \
  }                                                                \
  inline Integer __##from##2##to##_rd(Float x) {                   \
    return simtrt::float_to_integer<Integer, simtRoundMinInf>(x);  \
  }

SIMT_TO_INTEGER(float, float, int, int)
SIMT_TO_INTEGER(float, float, uint, unsigned int)
SIMT_TO_INTEGER(float, float, ll, long long)
SIMT_TO_INTEGER(float, float, ull, unsigned long long)
SIMT_TO_INTEGER(double, double, int, int)
SIMT_TO_INTEGER(double, double, uint, unsigned int)
SIMT_TO_INTEGER(double, double, ll, long long)
SIMT_TO_INTEGER(double, double, ull, unsigned long long)

#undef SIMT_TO_INTEGER

// Conversion of a number to a format that may not represent the number exactly, in the four
// rounding modes. The compiler's own conversion rounds to nearest.
#define SIMT_FROM_NUMBER(name, From, To, convert)                             \
  inline To name##_rn(From x) { return static_cast<To>(x); }                  \
  inline To name##_rz(From x) { return simtrt::convert(x, simtRoundZero); }   \
  inline To name##_ru(From x) { return simtrt::convert(x, simtRoundPosInf); } \
  inline To name##_rd(From x) { return simtrt::convert(x, simtRoundMinInf); }

SIMT_FROM_NUMBER(__int2float, int, float, integer_to_float)
SIMT_FROM_NUMBER(__uint2float, unsigned int, float, integer_to_float)
SIMT_FROM_NUMBER(__ll2float, long long, float, integer_to_float)
SIMT_FROM_NUMBER(__ull2float, unsigned long long, float, integer_to_float)
SIMT_FROM_NUMBER(__ll2double, long long, double, integer_to_double)
SIMT_FROM_NUMBER(__ull2double, unsigned long long, double, integer_to_double)
SIMT_FROM_NUMBER(__double2float, double, float, double_to_float)

#undef SIMT_FROM_NUMBER

inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned int x) { return x; }

// Bit casts.
inline int __float_as_int(float x) { return simtrt::bit_cast<int>(x); }
inline unsigned int __float_as_uint(float x) { return simtrt::bit_cast<unsigned int>(x); }
inline float __int_as_float(int x) { return simtrt::bit_cast<float>(x); }
inline float __uint_as_float(unsigned int x) { return simtrt::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return simtrt::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return simtrt::bit_cast<double>(x); }

// Upper and lower half of a double's bits.
inline int __double2hiint(double x) {
  return static_cast<int>(simtrt::bit_cast<std::uint64_t>(x) >> 32);
}
inline int __double2loint(double x) { return static_cast<int>(simtrt::bit_cast<std::uint64_t>(x)); }
inline double __hiloint2double(int hi, int lo) {
  const std::uint64_t bits = static_cast<std::uint64_t>(static_cast<unsigned int>(hi)) << 32 |
                             static_cast<unsigned int>(lo);
  return simtrt::bit_cast<double>(bits);
}
