// CUDA's arithmetic functions with directed rounding: down (_rd), up (_ru) and towards zero (_rz).
// The functions of the library change the processor's rounding mode for one operation. Source: CUDA
// Math API 12.4, "Single/Double Precision Intrinsics".
#pragma once

#include <simtrt/config.h>

namespace simtrt {

enum class Rounding : unsigned char { kDown, kUp, kZero };

SIMTRT_EXPORT float add(float x, float y, Rounding mode);
SIMTRT_EXPORT float subtract(float x, float y, Rounding mode);
SIMTRT_EXPORT float multiply(float x, float y, Rounding mode);
SIMTRT_EXPORT float divide(float x, float y, Rounding mode);
SIMTRT_EXPORT float square_root(float x, Rounding mode);
SIMTRT_EXPORT float fused(float x, float y, float z, Rounding mode);
SIMTRT_EXPORT double add(double x, double y, Rounding mode);
SIMTRT_EXPORT double subtract(double x, double y, Rounding mode);
SIMTRT_EXPORT double multiply(double x, double y, Rounding mode);
SIMTRT_EXPORT double divide(double x, double y, Rounding mode);
SIMTRT_EXPORT double square_root(double x, Rounding mode);
SIMTRT_EXPORT double fused(double x, double y, double z, Rounding mode);

}  // namespace simtrt

#define SIMT_ROUNDED(T, p, suffix, mode)                                                       \
  inline T __##p##add_##suffix(T x, T y) { return simtrt::add(x, y, simtrt::Rounding::mode); } \
  inline T __##p##sub_##suffix(T x, T y) {                                                     \
    return simtrt::subtract(x, y, simtrt::Rounding::mode);                                     \
  }                                                                                            \
  inline T __##p##mul_##suffix(T x, T y) {                                                     \
    return simtrt::multiply(x, y, simtrt::Rounding::mode);                                     \
  }                                                                                            \
  inline T __##p##div_##suffix(T x, T y) {                                                     \
    return simtrt::divide(x, y, simtrt::Rounding::mode);                                       \
  }                                                                                            \
  inline T __##p##rcp_##suffix(T x) {                                                          \
    return simtrt::divide(T{1}, x, simtrt::Rounding::mode);                                    \
  }                                                                                            \
  inline T __##p##sqrt_##suffix(T x) { return simtrt::square_root(x, simtrt::Rounding::mode); }
#define SIMT_FUSED(T, name, mode)              \
  inline T name(T x, T y, T z) {               \
    return simtrt::fused(x, y, z, simtrt::Rounding::mode); \
  }
#define SIMT_DIRECTED(suffix, mode)             \
  SIMT_ROUNDED(float, f, suffix, mode)          \
  SIMT_ROUNDED(double, d, suffix, mode)         \
  SIMT_FUSED(float, __fmaf_##suffix, mode)      \
  SIMT_FUSED(float, __fmaf_ieee_##suffix, mode) \
  SIMT_FUSED(double, __fma_##suffix, mode)
SIMT_DIRECTED(rd, kDown)
SIMT_DIRECTED(ru, kUp)
SIMT_DIRECTED(rz, kZero)
#undef SIMT_DIRECTED
#undef SIMT_FUSED
#undef SIMT_ROUNDED
