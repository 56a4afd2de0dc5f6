// thrust::random::subtract_with_carry_engine: Marsaglia and Zaman's generator (1991), x(n) = x(n-s) - x(n-r) - carry
// modulo 2^w. Interface and seeds: CUDA 12.4, thrust/random/subtract_with_carry_engine.h.
#pragma once

#include <thrust/random/linear_congruential_engine.h>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class UIntType, std::size_t w, std::size_t s, std::size_t r>
class subtract_with_carry_engine {
 public:
  using result_type = UIntType;

  static constexpr std::size_t word_size = w;
  static constexpr std::size_t short_lag = s;
  static constexpr std::size_t long_lag = r;
  static constexpr result_type min = 0;
  static constexpr result_type max = (result_type(1) << w) - 1;
  static constexpr result_type default_seed = 19780503u;

  explicit subtract_with_carry_engine(result_type value = default_seed) { seed(value); }

  /// Unlike the C++ standard, one number of the seeding engine fills a word of any width.
  void seed(result_type value = default_seed) {
    linear_congruential_engine<result_type, 40014u, 0u, 2147483563u> engine(
        value == 0u ? default_seed : value);
    for (result_type& word : words_) word = engine() & max;
    carry_ = words_[r - 1] == 0;
    place_ = 0;
  }

  result_type operator()() {
    const result_type near = words_[place_ < s ? place_ + r - s : place_ - s];
    result_type& word = words_[place_];
    const bool borrows = near < word + carry_;
    word = (near - word - carry_) & max;
    carry_ = borrows;
    place_ = place_ + 1 == r ? 0 : place_ + 1;
    return word;
  }

  void discard(unsigned long long count) {
    for (; count > 0; --count) (*this)();
  }

  friend bool operator==(const subtract_with_carry_engine& x, const subtract_with_carry_engine& y) {
    for (std::size_t i = 0; i < r; ++i) {
      if (x.words_[i] != y.words_[i]) return false;
    }
    return x.place_ == y.place_ && x.carry_ == y.carry_;
  }
  friend bool operator!=(const subtract_with_carry_engine& x, const subtract_with_carry_engine& y) {
    return !(x == y);
  }

 private:
  result_type words_[r];
  std::size_t place_;
  result_type carry_;
};

using ranlux24_base = subtract_with_carry_engine<std::uint32_t, 24, 10, 24>;
using ranlux48_base = subtract_with_carry_engine<std::uint64_t, 48, 5, 12>;

}  // namespace random

using random::ranlux24_base;
using random::ranlux48_base;
using random::subtract_with_carry_engine;

THRUST_NAMESPACE_END
