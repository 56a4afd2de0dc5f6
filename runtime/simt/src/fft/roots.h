// Roots of unity, accurate to the last bit of double.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "fft/complex.h"

namespace simtrt::fft {

/// exp(-2 pi i k / n) for any k.
///
/// About sqrt(n) roots are stored, in long double; each root is the product of two stored roots.
/// Computing a sine and a cosine for each root would take longer than the transforms of most plans.
class Roots {
 public:
  explicit Roots(std::size_t n)
      : n_(n), step_(static_cast<std::size_t>(std::sqrt(static_cast<double>(n))) + 1) {
    for (std::size_t k = 0; k < step_; ++k) {
      fine_.push_back(computed(k));
    }
    for (std::size_t k = 0; k < n_; k += step_) {
      coarse_.push_back(computed(k));
    }
  }

  template <class T>
  Complex<T> at(std::size_t k) const {
    const Complex<long double>& a = coarse_[k % n_ / step_];
    const Complex<long double>& b = fine_[k % n_ % step_];
    return {static_cast<T>(a.re * b.re - a.im * b.im), static_cast<T>(a.re * b.im + a.im * b.re)};
  }

 private:
  Complex<long double> computed(std::size_t k) const {
    constexpr long double kTwoPi = 6.283185307179586476925286766559005768L;
    const long double angle = kTwoPi * static_cast<long double>(k) / static_cast<long double>(n_);
    return {std::cos(angle), -std::sin(angle)};
  }

  std::size_t n_, step_;
  std::vector<Complex<long double>> fine_, coarse_;
};

}  // namespace simtrt::fft
