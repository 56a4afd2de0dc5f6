// The DFT of complex numbers, of any length, in O(n log n).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "fft/complex.h"
#include "fft/passes.h"

namespace simtrt::fft {

/// What is computed beforehand for transforms of one length; used by any number of threads.
///
/// T is float or double. A length without large prime factors goes in passes (passes.h), any other
/// by a convolution of a length that has none (L. Bluestein, "A linear filtering approach to the
/// computation of discrete Fourier transform", 1970).
template <class T>
class ComplexFft {
 public:
  explicit ComplexFft(std::size_t length);

  std::size_t length() const { return length_; }
  /// How many numbers each of the two arrays of forward() has to have room for.
  std::size_t room() const { return convolution_ ? convolution_->length() : length_; }

  /// Sum over j of data[j] exp(-2 pi i j k / length) for each k, not scaled. Both arrays are
  /// overwritten; the result is in the one that is returned.
  ///
  /// V is T, or Lanes<T> for several transforms at once.
  template <class V>
  Complex<V>* forward(Complex<V>* data, Complex<V>* spare) const;

 private:
  void plan_passes();
  void plan_convolution();

  std::size_t length_;
  std::vector<Pass<T>> passes_;
  // Of Bluestein's algorithm: the transform of the convolution's length, exp(-pi i k k / length),
  // and the transform of what is convolved with, divided by its length.
  std::unique_ptr<const ComplexFft> convolution_;
  std::vector<Complex<T>> chirp_, filter_;
};

}  // namespace simtrt::fft
