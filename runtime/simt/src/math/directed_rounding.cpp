// Arithmetic with directed rounding: one operation under another rounding mode of the processor.
#include <simtrt/intrinsics/directed.h>

#include <cfenv>
#include <cmath>

namespace simtrt {
namespace {

int mode_of(Rounding mode) {
  return mode == Rounding::kDown ? FE_DOWNWARD : mode == Rounding::kUp ? FE_UPWARD : FE_TOWARDZERO;
}

// Operands and result are volatile, so that the compiler computes between the changes of the mode.
template <class T, class Operation>
T rounded(Rounding mode, T x, T y, Operation operation) {
  const int before = std::fegetround();
  std::fesetround(mode_of(mode));
  volatile T first = x, second = y;
  volatile T result = operation(first, second);
  std::fesetround(before);
  return result;
}

template <class T>
T rounded_fused(Rounding mode, T x, T y, T z) {
  volatile T third = z;
  return rounded(mode, x, y, [&](T a, T b) { return std::fma(a, b, third); });
}

}  // namespace

#define SIMT_OPERATION(T, name, expression)                         \
  T name(T x, T y, Rounding mode) {                                 \
    return rounded(mode, x, y, [](T a, T b) { return expression; }); \
  }
#define SIMT_OPERATIONS(T)                                                            \
  SIMT_OPERATION(T, add, a + b)                                                       \
  SIMT_OPERATION(T, subtract, a - b)                                                  \
  SIMT_OPERATION(T, multiply, a * b)                                                  \
  SIMT_OPERATION(T, divide, a / b)                                                    \
  T square_root(T x, Rounding mode) {                                                 \
    return rounded(mode, x, T{0}, [](T a, T) { return std::sqrt(a); });               \
  }                                                                                   \
  T fused(T x, T y, T z, Rounding mode) { return rounded_fused(mode, x, y, z); }
SIMT_OPERATIONS(float)
SIMT_OPERATIONS(double)

}  // namespace simtrt
