// One pass of a mixed-radix FFT in Stockham's order. A pass divides transforms of length radix *
// rest into transforms of length rest. The order of its output makes a final reordering unnecessary
// (C. Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992, 1.7 and 2.4).
//
// The input consists of `done` consecutive sequences of radix * rest numbers; element s * rest + i
// of sequence k is in[i + rest * (s + radix * k)]. For each i, the pass computes the DFT of the
// `radix` numbers, multiplies the j-th result by w^(i j), where w = exp(-2 pi i / (radix * rest)),
// and writes it to out[i + rest * (k + done * j)]. The factor w^(i j) is twiddles[(radix - 1) * i +
// j - 1].
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "fft/complex.h"

namespace simtrt::fft {

/// Largest prime with a pass of its own; the work grows with the square of the prime.
inline constexpr std::size_t kLargestRadix = 47;

template <class T>
struct Pass {
  std::size_t radix, done, rest;
  std::vector<Complex<T>> twiddles;
  std::vector<Complex<T>> roots;  ///< exp(-2 pi i k / radix) for radices without special code
};

template <class V>
inline void dft(std::array<Complex<V>, 2>& x) {
  const auto a = x[0];
  x[0] = a + x[1];
  x[1] = a - x[1];
}

template <class V>
inline void dft(std::array<Complex<V>, 3>& x) {
  using T = Scalar<V>;
  constexpr auto kSin = static_cast<T>(0.866025403784438646763723170752936183L);  // sin(2 pi / 3)
  const auto sum = x[1] + x[2];
  const auto turned = times_minus_i(scaled(x[1] - x[2], kSin));
  const auto middle = x[0] - scaled(sum, static_cast<T>(0.5));
  x[0] = x[0] + sum;
  x[1] = middle + turned;
  x[2] = middle - turned;
}

template <class V>
inline void dft(std::array<Complex<V>, 4>& x) {
  const auto a = x[0] + x[2], b = x[0] - x[2];
  const auto c = x[1] + x[3], d = times_minus_i(x[1] - x[3]);
  x[0] = a + c;
  x[1] = b + d;
  x[2] = a - c;
  x[3] = b - d;
}

template <class V>
inline void dft(std::array<Complex<V>, 5>& x) {
  using T = Scalar<V>;
  constexpr auto kCos1 = static_cast<T>(0.309016994374947424102293417182819059L);  // cos(2 pi / 5)
  constexpr auto kCos2 = static_cast<T>(-0.809016994374947424102293417182819059L);
  constexpr auto kSin1 = static_cast<T>(0.951056516295153572116439333379382143L);  // sin(2 pi / 5)
  constexpr auto kSin2 = static_cast<T>(0.587785252292473129168705954639072769L);
  const auto a = x[1] + x[4], b = x[1] - x[4];
  const auto c = x[2] + x[3], d = x[2] - x[3];
  const auto first = x[0] + scaled(a, kCos1) + scaled(c, kCos2);
  const auto second = x[0] + scaled(a, kCos2) + scaled(c, kCos1);
  const auto turned_first = times_minus_i(scaled(b, kSin1) + scaled(d, kSin2));
  const auto turned_second = times_minus_i(scaled(b, kSin2) - scaled(d, kSin1));
  x[0] = x[0] + a + c;
  x[1] = first + turned_first;
  x[2] = second + turned_second;
  x[3] = second - turned_second;
  x[4] = first - turned_first;
}

template <class V, std::size_t... J>
void run_pass(const Pass<Scalar<V>>& pass, const Complex<V>* in, Complex<V>* out,
              std::index_sequence<J...>) {
  constexpr std::size_t kRadix = sizeof...(J);
  const std::size_t rest = pass.rest, apart = pass.rest * pass.done;
  for (std::size_t k = 0; k < pass.done; ++k) {
    const Complex<V>* from = in + rest * kRadix * k;
    Complex<V>* to = out + rest * k;
    std::array<Complex<V>, kRadix> x{from[rest * J]...};
    dft(x);
    ((to[apart * J] = x[J]), ...);
    const Complex<Scalar<V>>* factors = pass.twiddles.data();
    for (std::size_t i = 1; i < rest; ++i) {
      factors += kRadix - 1;
      x = {from[rest * J + i]...};
      dft(x);
      ((to[apart * J + i] = J == 0 ? x[0] : x[J] * factors[J == 0 ? 0 : J - 1]), ...);
    }
  }
}

/// DFT for any odd radix. x[m] and x[radix - m] have the same products, which are computed once.
template <class V>
void run_odd_pass(const Pass<Scalar<V>>& pass, const Complex<V>* in, Complex<V>* out) {
  const std::size_t radix = pass.radix, rest = pass.rest, apart = pass.rest * pass.done;
  std::array<Complex<V>, kLargestRadix / 2 + 1> sums, differences;
  for (std::size_t k = 0; k < pass.done; ++k) {
    for (std::size_t i = 0; i < rest; ++i) {
      const Complex<V>* from = in + rest * radix * k + i;
      Complex<V>* to = out + rest * k + i;
      const Complex<V> first = from[0];
      Complex<V> total = first;
      for (std::size_t m = 1; m <= radix / 2; ++m) {
        sums[m] = from[rest * m] + from[rest * (radix - m)];
        differences[m] = from[rest * m] - from[rest * (radix - m)];
        total = total + sums[m];
      }
      to[0] = total;
      const Complex<Scalar<V>>* factors = pass.twiddles.data() + (radix - 1) * i;
      for (std::size_t j = 1; j <= radix / 2; ++j) {
        Complex<V> straight = first, turned{};
        std::size_t power = 0;
        for (std::size_t m = 1; m <= radix / 2; ++m) {
          power = power + j < radix ? power + j : power + j - radix;
          straight = straight + scaled(sums[m], pass.roots[power].re);
          turned = turned - scaled(differences[m], pass.roots[power].im);
        }
        turned = times_minus_i(turned);
        to[apart * j] = (straight + turned) * factors[j - 1];
        to[apart * (radix - j)] = (straight - turned) * factors[radix - j - 1];
      }
    }
  }
}

template <class V>
void run_pass(const Pass<Scalar<V>>& pass, const Complex<V>* in, Complex<V>* out) {
  switch (pass.radix) {
    case 2: return run_pass<V>(pass, in, out, std::make_index_sequence<2>());
    case 3: return run_pass<V>(pass, in, out, std::make_index_sequence<3>());
    case 4: return run_pass<V>(pass, in, out, std::make_index_sequence<4>());
    case 5: return run_pass<V>(pass, in, out, std::make_index_sequence<5>());
    default: return run_odd_pass<V>(pass, in, out);
  }
}

}  // namespace simtrt::fft
