#include "fft/complex_fft.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fft/roots.h"

namespace simtrt::fft {

namespace {

/// Factors of a length in the order of their passes, fours before twos; the last factor may be a
/// large prime.
std::vector<std::size_t> factors_of(std::size_t length) {
  std::vector<std::size_t> factors;
  const auto divide_by = [&](std::size_t factor) {
    for (; length % factor == 0; length /= factor) {
      factors.push_back(factor);
    }
  };
  divide_by(4);
  divide_by(2);
  for (std::size_t factor = 3; factor * factor <= length; factor += 2) {
    divide_by(factor);
  }
  if (length > 1) {
    factors.push_back(length);
  }
  return factors;
}

/// Smallest number, at least `least`, without prime factors other than 2, 3 and 5.
std::size_t next_smooth(std::size_t least) {
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (std::size_t fives = 1; fives < 5 * least; fives *= 5) {
    for (std::size_t threes = fives; threes < 3 * least; threes *= 3) {
      std::size_t number = threes;
      while (number < least) {
        number *= 2;
      }
      best = std::min(best, number);
    }
  }
  return best;
}

}  // namespace

template <class T>
ComplexFft<T>::ComplexFft(std::size_t length) : length_(length) {
  const std::vector<std::size_t> factors = factors_of(length);
  if (std::any_of(factors.begin(), factors.end(), [](auto f) { return f > kLargestRadix; })) {
    plan_convolution();
  } else {
    plan_passes();
  }
}

template <class T>
void ComplexFft<T>::plan_passes() {
  std::size_t done = 1, left = length_;
  for (const std::size_t radix : factors_of(length_)) {
    const std::size_t rest = left / radix;
    Pass<T> pass{radix, done, rest, {}, {}};
    const Roots roots(left);
    pass.twiddles.reserve((radix - 1) * rest);
    for (std::size_t i = 0; i < rest; ++i) {
      for (std::size_t j = 1; j < radix; ++j) {
        pass.twiddles.push_back(roots.at<T>(i * j));
      }
    }
    for (std::size_t k = 0; radix > 5 && k < radix; ++k) {
      pass.roots.push_back(roots.at<T>(k * rest));
    }
    passes_.push_back(std::move(pass));
    done *= radix;
    left = rest;
  }
}

template <class T>
void ComplexFft<T>::plan_convolution() {
  const std::size_t size = next_smooth(2 * length_ - 1);
  convolution_ = std::make_unique<ComplexFft<T>>(size);
  const Roots roots(2 * length_);
  std::vector<Complex<double>> waves(size), spare(size);
  const double scale = 1.0 / static_cast<double>(size);
  // k * k mod (2 * length), computed incrementally, because k * k might overflow.
  std::size_t square = 0;
  for (std::size_t k = 0; k < length_; ++k) {
    chirp_.push_back(roots.at<T>(square));
    waves[k] = scaled(conjugate(roots.at<double>(square)), scale);
    waves[(size - k) % size] = waves[k];
    square = (square + 2 * k + 1) % (2 * length_);
  }
  // The filter is computed in double, also for float, because its rounding errors affect every
  // result.
  const ComplexFft<double> exact(size);
  const Complex<double>* result = exact.forward(waves.data(), spare.data());
  for (std::size_t k = 0; k < size; ++k) {
    filter_.push_back({static_cast<T>(result[k].re), static_cast<T>(result[k].im)});
  }
}

template <class T>
template <class V>
Complex<V>* ComplexFft<T>::forward(Complex<V>* data, Complex<V>* spare) const {
  if (!convolution_) {
    for (const Pass<T>& pass : passes_) {
      run_pass<V>(pass, data, spare);
      std::swap(data, spare);
    }
    return data;
  }
  for (std::size_t k = 0; k < length_; ++k) {
    data[k] = data[k] * chirp_[k];
  }
  std::fill(data + length_, data + room(), Complex<V>{});
  Complex<V>* spectrum = convolution_->forward(data, spare);
  for (std::size_t k = 0; k < room(); ++k) {
    spectrum[k] = exchanged(spectrum[k] * filter_[k]);
  }
  Complex<V>* result = convolution_->forward(spectrum, spectrum == data ? spare : data);
  for (std::size_t k = 0; k < length_; ++k) {
    result[k] = exchanged(result[k]) * chirp_[k];
  }
  return result;
}

template class ComplexFft<float>;
template class ComplexFft<double>;
template Complex<float>* ComplexFft<float>::forward(Complex<float>*, Complex<float>*) const;
template Complex<double>* ComplexFft<double>::forward(Complex<double>*, Complex<double>*) const;
template Complex<Lanes<float>>* ComplexFft<float>::forward(Complex<Lanes<float>>*,
                                                           Complex<Lanes<float>>*) const;
template Complex<Lanes<double>>* ComplexFft<double>::forward(Complex<Lanes<double>>*,
                                                             Complex<Lanes<double>>*) const;

}  // namespace simtrt::fft
