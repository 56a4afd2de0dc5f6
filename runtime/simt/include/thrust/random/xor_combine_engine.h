// thrust::random::xor_combine_engine: two engines, combined by exclusive or. Interface: CUDA 12.4,
// thrust/random/xor_combine_engine.h.
#pragma once

#include <simtrt/thrust/config.h>

#include <cstddef>
#include <type_traits>

THRUST_NAMESPACE_BEGIN

namespace detail {

/// Largest value of (a << d) ^ b, by the recursion in TR1 of C++, 5.1.4.6.
template <class T>
constexpr T largest_xor(T a, T b, std::size_t d) {
  const T c = static_cast<T>(a << d);
  if (c == 0 || b < (T(1) << d)) return static_cast<T>(c + b);
  const T large = c < b ? b : c, small = c < b ? c : b;
  std::size_t p = 0;
  while ((small >> p) > 1) ++p;
  const T ceiling = static_cast<T>(((large >> p) + 1) << p);
  if (((large >> p) & 1) != 0) return static_cast<T>(ceiling - 1);
  const T rest = (T(1) << p) - 1;
  return static_cast<T>(ceiling + (c >= b ? largest_xor<T>((small & rest) >> d, large & rest, d)
                                          : largest_xor<T>((large & rest) >> d, small & rest, d)));
}

}  // namespace detail

namespace random {

template <class Engine1, std::size_t s1, class Engine2, std::size_t s2 = 0u>
class xor_combine_engine {
 public:
  using base1_type = Engine1;
  using base2_type = Engine2;
  using result_type =
      std::conditional_t<(sizeof(typename Engine2::result_type) >
                          sizeof(typename Engine1::result_type)),
                         typename Engine2::result_type, typename Engine1::result_type>;

  static constexpr std::size_t shift1 = s1;
  static constexpr std::size_t shift2 = s2;
  static constexpr result_type min = 0;
  static constexpr result_type max = static_cast<result_type>(
      s1 < s2 ? detail::largest_xor<result_type>(Engine2::max, Engine1::max, s2 - s1) << s1
              : detail::largest_xor<result_type>(Engine1::max, Engine2::max, s1 - s2) << s2);

  xor_combine_engine() = default;
  xor_combine_engine(const base1_type& first, const base2_type& second)
      : first_(first), second_(second) {}
  explicit xor_combine_engine(result_type value) : first_(value), second_(value) {}

  void seed() {
    first_.seed();
    second_.seed();
  }
  void seed(result_type value) {
    first_.seed(value);
    second_.seed(value);
  }

  const base1_type& base1() const { return first_; }
  const base2_type& base2() const { return second_; }

  result_type operator()() {
    const result_type first = static_cast<result_type>(first_() - base1_type::min) << s1;
    return first ^ (static_cast<result_type>(second_() - base2_type::min) << s2);
  }

  void discard(unsigned long long count) {
    for (; count > 0; --count) (*this)();
  }

  friend bool operator==(const xor_combine_engine& x, const xor_combine_engine& y) {
    return x.first_ == y.first_ && x.second_ == y.second_;
  }
  friend bool operator!=(const xor_combine_engine& x, const xor_combine_engine& y) {
    return !(x == y);
  }

 private:
  base1_type first_;
  base2_type second_;
};

}  // namespace random

using random::xor_combine_engine;

THRUST_NAMESPACE_END
