// Complex numbers of the FFT engine: scalars, or vectors of several numbers.
#pragma once

#include <cstddef>
#include <utility>

namespace simtrt::fft {

/// Several numbers of type T in one vector register. Every supported processor has registers of
/// this size. Lane i contains a number of transform i of the transforms that are computed together.
/// Arithmetic is elementwise, by a language extension of g++ and clang.
template <class T>
struct LanesOf {
  typedef T Type __attribute__((vector_size(16)));
};
template <class T>
using Lanes = typename LanesOf<T>::Type;

/// Number of transforms in a value: 1 for float and double.
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
/// Scalar type of V: float or double. Lanes and roots of unity have this type.
template <class V>
using Scalar = typename ScalarOf<V>::Type;

/// Complex number. std::complex supports neither vectors nor half.
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
/// Exchanges real and imaginary part. Exchanging before and after a transform reverses its
/// direction; therefore the engine implements only one direction.
template <class V>
inline Complex<V> exchanged(const Complex<V>& a) {
  return {a.im, a.re};
}

// Lane indexes are constants: an index known only at run time would access the vector through
// memory.

template <class V, class Number, std::size_t... Lane>
inline V lanes_from(const Number& number, std::index_sequence<Lane...>) {
  return V{number(Lane)...};
}
/// Vector with number(0) in the first lane, number(1) in the second ...
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
