// thrust::random::linear_feedback_shift_engine: Tausworthe's generator in the form of L'Ecuyer (1996). Interface and
// seed: CUDA 12.4, thrust/random/linear_feedback_shift_engine.h.
#pragma once

#include <simtrt/thrust/config.h>

#include <cstddef>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class UIntType, std::size_t w, std::size_t k, std::size_t q, std::size_t s>
class linear_feedback_shift_engine {
 public:
  using result_type = UIntType;

  static constexpr std::size_t word_size = w;
  static constexpr std::size_t exponent1 = k;
  static constexpr std::size_t exponent2 = q;
  static constexpr std::size_t step_size = s;
  /// CUDA's mask lacks the lowest bit.
  static constexpr result_type wordmask =
      ((((result_type(1) << (w - 1)) - 1) << 1) | 1) & ~result_type(1);
  static constexpr result_type min = 0;
  static constexpr result_type max = wordmask;
  static constexpr result_type default_seed = 341u;

  explicit linear_feedback_shift_engine(result_type value = default_seed) { seed(value); }

  void seed(result_type value = default_seed) { state_ = value; }

  result_type operator()() {
    const result_type feedback = (((state_ << q) ^ state_) & wordmask) >> (k - s);
    state_ = ((state_ & (~result_type(0) << (w - k))) << s) ^ feedback;
    return state_;
  }

  void discard(unsigned long long count) {
    for (; count > 0; --count) (*this)();
  }

  friend bool operator==(const linear_feedback_shift_engine& x,
                         const linear_feedback_shift_engine& y) {
    return x.state_ == y.state_;
  }
  friend bool operator!=(const linear_feedback_shift_engine& x,
                         const linear_feedback_shift_engine& y) {
    return !(x == y);
  }

 private:
  result_type state_;
};

}  // namespace random

using random::linear_feedback_shift_engine;

THRUST_NAMESPACE_END
