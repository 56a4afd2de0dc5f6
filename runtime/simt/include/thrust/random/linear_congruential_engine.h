// thrust::random::linear_congruential_engine: x' = (a x + c) mod m. minstd_rand0 is Park and
// Miller's minimal standard (1988), minstd_rand its revision of 1993. Interface: CUDA 12.4,
// thrust/random/linear_congruential_engine.h.
#pragma once

#include <simtrt/thrust/config.h>

#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class UIntType, UIntType a, UIntType c, UIntType m>
class linear_congruential_engine {
 public:
  using result_type = UIntType;

  static constexpr result_type multiplier = a;
  static constexpr result_type increment = c;
  static constexpr result_type modulus = m;
  static constexpr result_type min = c == 0u ? 1u : 0u;
  static constexpr result_type max = m - 1u;
  static constexpr result_type default_seed = 1u;

  explicit linear_congruential_engine(result_type value = default_seed) { seed(value); }

  /// If c == 0, a state of 0 would never change; therefore seed 0 is replaced by 1.
  void seed(result_type value = default_seed) {
    state_ = value % m;
    if (c % m == 0 && state_ == 0) state_ = 1;
  }

  result_type operator()() {
    multiply();
    add();
    return state_;
  }

  /// Equivalent to `count` calls. Without an increment, it takes one iteration for each bit of `count`.
  void discard(unsigned long long count) {
    if constexpr (c != 0) {
      for (; count > 0; --count) (*this)();
      return;
    }
    std::uint64_t factor = a, all = 1;
    for (; count != 0; count >>= 1) {
      if (count & 1) all = times(all, factor);
      factor = times(factor, factor);
    }
    state_ = static_cast<result_type>(times(all, state_));
  }

  friend bool operator==(const linear_congruential_engine& x, const linear_congruential_engine& y) {
    return x.state_ == y.state_;
  }
  friend bool operator!=(const linear_congruential_engine& x, const linear_congruential_engine& y) {
    return !(x == y);
  }
  template <class Char, class CharTraits>
  friend std::basic_ostream<Char, CharTraits>& operator<<(std::basic_ostream<Char, CharTraits>& out,
                                                          const linear_congruential_engine& x) {
    return out << x.state_;
  }
  template <class Char, class CharTraits>
  friend std::basic_istream<Char, CharTraits>& operator>>(std::basic_istream<Char, CharTraits>& in,
                                                          linear_congruential_engine& x) {
    return in >> x.state_;
  }

 private:
  // a x mod m by Schrage's method (1979), as in CUDA: if m mod a exceeds m / a, the numbers differ from the exact
  // products.
  void multiply() {
    if constexpr (a == 1u) {
      state_ %= m;
    } else {
      constexpr result_type kQuotient = m / a, kRest = m % a;
      const result_type one = static_cast<result_type>(a * (state_ % kQuotient));
      const result_type two = static_cast<result_type>(kRest * (state_ / kQuotient));
      state_ = one >= two ? one - two : m - two + one;
    }
  }
  void add() {
    if constexpr (c != 0) {
      const result_type room = m - state_;
      state_ = room > c ? state_ + c : c - room;
    }
  }

  static std::uint64_t times(std::uint64_t x, std::uint64_t y) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(x) * y % m);
  }

  result_type state_;
};

using minstd_rand0 = linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>;

}  // namespace random

using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;

THRUST_NAMESPACE_END
