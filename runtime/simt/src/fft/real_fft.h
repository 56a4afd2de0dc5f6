// The DFT of real numbers, and back: half of a complex one's work for even lengths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fft/complex.h"
#include "fft/complex_fft.h"

namespace simtrt::fft {

/// Transforms between `length` real numbers and the length / 2 + 1 first numbers of their
/// spectrum; the others are their conjugates.
template <class T>
class RealFft {
 public:
  explicit RealFft(std::size_t length);

  std::size_t length() const { return length_; }
  std::size_t spectrum_length() const { return length_ / 2 + 1; }
  /// How many numbers each of the two arrays below has to have room for.
  std::size_t room() const { return std::max(complex_.room(), spectrum_length()); }

  /// Puts the real numbers number(0) ... number(length - 1) where forward() looks for them.
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

  /// The spectrum of the real numbers in `data`, in the array that is returned.
  template <class V>
  Complex<V>* forward(Complex<V>* data, Complex<V>* spare) const;

  /// The real numbers, times length, that the spectrum in `data` belongs to, for take(). The
  /// imaginary part of its first number, and of its last where length is even, count as zero: no
  /// real numbers have any other there.
  template <class V>
  Complex<V>* backward(Complex<V>* data, Complex<V>* spare) const;

  /// Calls number(j, value) for each of the real numbers that backward() returned.
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
  ComplexFft<T> complex_;          ///< of half the length where that is even
  std::vector<Complex<T>> roots_;  ///< exp(-2 pi i k / length) for k up to length / 2
};

}  // namespace simtrt::fft
