// Limits of PyTorch's `clamp` and `relu`, in a form that the compiler can vectorize (mappings/simt/loops.yaml).
#pragma once

#include <limits>

namespace simtrt {

/// Limits that keep every value of a type.
template <class T>
inline constexpr T kLeast =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T kGreatest =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();

/// The value between the limits that is nearest to `value`; NaN stays NaN.
template <class T>
inline T clamped(T value, T low, T high) {
  const T raised = value < low ? low : value;
  return raised > high ? high : raised;
}

}  // namespace simtrt
