// DFT of complex numbers, of any length, in O(n log n).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "fft/complex.h"
#include "fft/passes.h"

namespace simtrt::fft {

/// Precomputed data for transforms of one length; any number of threads may use it.
///
/// T is float or double. A length without large prime factors is transformed in passes (passes.h).
/// A transform of any other length is computed by a convolution whose length has only small prime
/// factors (L. Bluestein, "A linear filtering approach to the computation of discrete Fourier
/// transform", 1970).
template <class T>
class ComplexFft {
 public:
  explicit ComplexFft(std::size_t length);

  std::size_t length() const { return length_; }
  /// Required number of elements of each of the two arrays that forward() uses.
  std::size_t room() const { return convolution_ ? convolution_->length() : length_; }

  /// Computes the sum over j of data[j] exp(-2 pi i j k / length) for each k, without scaling. Both
  /// arrays are overwritten; returns the array with the result.
  ///
  /// V is T, or Lanes<T> for several transforms at once.
  template <class V>
  Complex<V>* forward(Complex<V>* data, Complex<V>* spare) const;

 private:
  void plan_passes();
  void plan_convolution();

  std::size_t length_;
  std::vector<Pass<T>> passes_;
  // Data of Bluestein's algorithm. convolution_: transform of the convolution's length. chirp_:
  // exp(-pi i k k / length). filter_: transform of the convolution's filter, divided by the
  // convolution's length.
  std::unique_ptr<const ComplexFft> convolution_;
  std::vector<Complex<T>> chirp_, filter_;
};

}  // namespace simtrt::fft
