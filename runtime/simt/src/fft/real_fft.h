// DFT of real numbers, and its inverse. For even lengths, a transform needs half the operations of
// a complex DFT.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fft/complex.h"
#include "fft/complex_fft.h"

namespace simtrt::fft {

/// Transforms between `length` real numbers and the first length / 2 + 1 numbers of their spectrum.
/// The other numbers of the spectrum are conjugates of these.
template <class T>
class RealFft {
 public:
  explicit RealFft(std::size_t length);

  std::size_t length() const { return length_; }
  std::size_t spectrum_length() const { return length_ / 2 + 1; }
  /// Required number of elements of each of the two arrays that the functions below use.
  std::size_t room() const { return std::max(complex_.room(), spectrum_length()); }

  /// Stores the real numbers number(0) ... number(length - 1) as input of forward().
  template <class V, class Number>
  void put(Complex<V>* data, const Number& number) const {
    if (is_even()) {
      for (std::size_t j = 0; j < length_ / 2; ++j) {
        data[j] = {number(2 * j), number(2 * j + 1)};
      }
    } else {
      for (std::size_t j = 0; j < length_; ++j) {
        data[j] = {number(j), V{}};
      }
    }
  }

  /// Computes the spectrum of the real numbers in `data`; returns the array with the result.
  template <class V>
  Complex<V>* forward(Complex<V>* data, Complex<V>* spare) const;

  /// Computes the real numbers, multiplied by length, from the spectrum in `data`; take() reads the
  /// result. The imaginary part of the spectrum's first number is ignored; for an even length, the
  /// imaginary part of its last number is ignored too. In the spectrum of real numbers, these
  /// imaginary parts are zero.
  template <class V>
  Complex<V>* backward(Complex<V>* data, Complex<V>* spare) const;

  /// Calls number(j, value) for each real number in the result of backward().
  template <class V, class Number>
  void take(const Complex<V>* result, const Number& number) const {
    if (is_even()) {
      for (std::size_t j = 0; j < length_ / 2; ++j) {
        number(2 * j, result[j].im);
        number(2 * j + 1, result[j].re);
      }
    } else {
      for (std::size_t j = 0; j < length_; ++j) {
        number(j, result[j].im);
      }
    }
  }

 private:
  bool is_even() const { return length_ % 2 == 0; }

  std::size_t length_;
  ComplexFft<T> complex_;          ///< half the length if `length` is even, else `length`
  std::vector<Complex<T>> roots_;  ///< exp(-2 pi i k / length) for k up to length / 2
};

}  // namespace simtrt::fft
