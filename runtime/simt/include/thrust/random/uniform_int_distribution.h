// thrust::random::uniform_int_distribution: whole numbers of [a, b].
// Interface and values: CUDA 12.4, thrust/random/uniform_int_distribution.h.
#pragma once

#include <simtrt/thrust_config.h>
#include <thrust/random/uniform_real_distribution.h>

#include <limits>
#include <utility>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class IntType = int>
class uniform_int_distribution {
 public:
  using result_type = IntType;
  using param_type = std::pair<IntType, IntType>;

  explicit uniform_int_distribution(IntType a = 0, IntType b = std::numeric_limits<IntType>::max())
      : param_(a, b) {}
  explicit uniform_int_distribution(const param_type& param) : param_(param) {}

  void reset() {}

  template <class Engine>
  result_type operator()(Engine& engine) {
    return (*this)(engine, param_);
  }
  template <class Engine>
  result_type operator()(Engine& engine, const param_type& param) {
    // By way of a real number, so numbers are left out where the engine has fewer than [a, b].
    uniform_real_distribution<double> real(static_cast<double>(param.first),
                                           static_cast<double>(param.second) + 1.0);
    return static_cast<result_type>(real(engine));
  }

  result_type a() const { return param_.first; }
  result_type b() const { return param_.second; }
  param_type param() const { return param_; }
  void param(const param_type& param) { param_ = param; }
  result_type min() const { return a(); }
  result_type max() const { return b(); }

  friend bool operator==(const uniform_int_distribution& x, const uniform_int_distribution& y) {
    return x.param_ == y.param_;
  }
  friend bool operator!=(const uniform_int_distribution& x, const uniform_int_distribution& y) {
    return !(x == y);
  }

 private:
  param_type param_;
};

}  // namespace random

using random::uniform_int_distribution;

THRUST_NAMESPACE_END
