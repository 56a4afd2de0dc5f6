// Code shared by the tests of simtfft: plans, signals, and the discrete Fourier transform by its
// definition, in long double.
#pragma once

#include "kernel_test.h"

#include <simtfft.h>
#include <simtfftXt.h>

#include <cmath>
#include <complex>
#include <cstdint>

inline doctest::String toString(simtfftResult result) {
  return ("simtfftResult " + std::to_string(static_cast<int>(result))).c_str();
}

#define CHECK_FFT(...) CHECK_EQ((__VA_ARGS__), SIMTFFT_SUCCESS)
#define REQUIRE_FFT(...) REQUIRE_EQ((__VA_ARGS__), SIMTFFT_SUCCESS)

namespace fft_test {

using Wide = std::complex<long double>;
using Signal = std::vector<Wide>;
using Lengths = std::vector<std::size_t>;

/// Owner of a plan. simtfftPlan... or simtfftCreate makes the plan.
class Plan {
 public:
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() { simtfftDestroy(handle_); }
  operator simtfftHandle() const { return handle_; }
  simtfftHandle* out() { return &handle_; }

 private:
  simtfftHandle handle_ = -1;
};

/// `count` complex (or real) pseudo-random numbers between -1 and 1, from a linear congruential
/// generator (Numerical Recipes, "An Even Quicker Generator").
inline Signal noise(std::size_t count, bool is_real = false, std::uint32_t seed = 1) {
  const auto next = [&seed] {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<long double>(static_cast<int>(seed >> 20) - 2048) / 2048;
  };
  Signal signal(count);
  for (Wide& number : signal) {
    number = Wide(next(), 0);
    if (!is_real) number.imag(next());
  }
  return signal;
}

/// Transform of `batch` consecutive arrays, by its definition: along each dimension the sum of x[j]
/// exp(direction 2 pi i j k / n).
inline Signal transformed(Signal signal, const Lengths& lengths, int direction) {
  std::size_t apart = 1;
  for (std::size_t d = lengths.size(); d-- > 0;) {
    const std::size_t n = lengths[d];
    std::vector<Wide> roots(n), line(n);
    for (std::size_t k = 0; k < n; ++k) {
      roots[k] = std::polar(1.0L, direction * 2 * std::acos(-1.0L) * static_cast<long double>(k) /
                                      static_cast<long double>(n));
    }
    for (std::size_t begin = 0; begin < signal.size(); ++begin) {
      if (begin / apart % n != 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        line[k] = 0;
        for (std::size_t j = 0; j < n; ++j) line[k] += signal[begin + j * apart] * roots[j * k % n];
      }
      for (std::size_t k = 0; k < n; ++k) signal[begin + k * apart] = line[k];
    }
    apart *= n;
  }
  return signal;
}

/// First n / 2 + 1 numbers of each row of `n` numbers.
inline Signal half_of(const Signal& spectrum, std::size_t n) {
  Signal half;
  for (std::size_t i = 0; i < spectrum.size(); ++i) {
    if (i % n <= n / 2) half.push_back(spectrum[i]);
  }
  return half;
}

template <class T>
std::vector<std::complex<T>> narrowed(const Signal& signal) {
  return {signal.begin(), signal.end()};
}

template <class T>
std::vector<T> real_parts(const Signal& signal) {
  std::vector<T> parts;
  for (const Wide& number : signal) parts.push_back(static_cast<T>(number.real()));
  return parts;
}

/// Norm of the difference from the expected numbers, relative to the norm of the expected numbers.
template <class Numbers>
double distance(const Numbers& numbers, const Signal& expected) {
  if (numbers.size() != expected.size()) return HUGE_VAL;
  long double far = 0, whole = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    far += std::norm(Wide(numbers[i]) - expected[i]);
    whole += std::norm(expected[i]);
  }
  return static_cast<double>(std::sqrt(far / whole));
}

/// Tolerance for rounding: a few units of the last place, for all lengths used here.
template <class T>
inline constexpr double kNear = 0;
template <>
inline constexpr double kNear<float> = 4e-7;
template <>
inline constexpr double kNear<double> = 8e-16;

inline simtfftComplex* api(std::complex<float>* p) { return reinterpret_cast<simtfftComplex*>(p); }
inline simtfftDoubleComplex* api(std::complex<double>* p) {
  return reinterpret_cast<simtfftDoubleComplex*>(p);
}
inline float* api(float* p) { return p; }
inline double* api(double* p) { return p; }

}  // namespace fft_test
