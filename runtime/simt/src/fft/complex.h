// Complex numbers of the FFT's engine: of one number each, or of several that are computed at once.
#pragma once

#include <cstddef>
#include <utility>

namespace simtrt::fft {

/// As many numbers as a vector register of every processor holds: lane i belongs to transform i of
/// a group that is computed together. Arithmetic is element by element, a language extension of
/// g++ and clang.
template <class T>
struct LanesOf {
  typedef T Type __attribute__((vector_size(16)));
};
template <class T>
using Lanes = typename LanesOf<T>::Type;

/// How many transforms a number stands for: 1 for float and double.
template <class V>
inline constexpr std::size_t kLanes = 1;
template <>
inline constexpr std::size_t kLanes<Lanes<float>> = 4;
template <>
inline constexpr std::size_t kLanes<Lanes<double>> = 2;

template <class V>
struct ScalarOf {
  using Type = V;
};
template <>
struct ScalarOf<Lanes<float>> {
  using Type = float;
};
template <>
struct ScalarOf<Lanes<double>> {
  using Type = double;
};
/// float or double: what a lane holds, and what roots of unity are kept in.
template <class V>
using Scalar = typename ScalarOf<V>::Type;

/// In place of std::complex, which is neither for vectors nor for half.
template <class V>
struct Complex {
  V re, im;
};

template <class V>
inline Complex<V> operator+(const Complex<V>& a, const Complex<V>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class V>
inline Complex<V> operator-(const Complex<V>& a, const Complex<V>& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class V>
inline Complex<V> operator*(const Complex<V>& a, const Complex<Scalar<V>>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class V>
inline Complex<V> scaled(const Complex<V>& a, Scalar<V> factor) {
  return {a.re * factor, a.im * factor};
}
template <class V>
inline Complex<V> times_minus_i(const Complex<V>& a) {
  return {a.im, -a.re};
}
template <class V>
inline Complex<V> conjugate(const Complex<V>& a) {
  return {a.re, -a.im};
}
/// Real and imaginary part exchanged. A transform of exchanged numbers, exchanged again, is the
/// transform in the other direction, so that the engine has one direction only.
template <class V>
inline Complex<V> exchanged(const Complex<V>& a) {
  return {a.im, a.re};
}

// Lanes are named by constants: one that is chosen at run time would go through memory.

template <class V, class Number, std::size_t... Lane>
inline V lanes_from(const Number& number, std::index_sequence<Lane...>) {
  return V{number(Lane)...};
}
/// number(0) in the first lane, number(1) in the next ...
template <class V, class Number>
inline V lanes_from(const Number& number) {
  return lanes_from<V>(number, std::make_index_sequence<kLanes<V>>());
}

template <class V, class Number, std::size_t... Lane>
inline void for_each_lane(const V& numbers, const Number& number, std::index_sequence<Lane...>) {
  if constexpr (kLanes<V> == 1) {
    number(0, numbers);
  } else {
    (number(Lane, numbers[Lane]), ...);
  }
}
/// Calls number(lane, value) for each lane.
template <class V, class Number>
inline void for_each_lane(const V& numbers, const Number& number) {
  for_each_lane(numbers, number, std::make_index_sequence<kLanes<V>>());
}

}  // namespace simtrt::fft
