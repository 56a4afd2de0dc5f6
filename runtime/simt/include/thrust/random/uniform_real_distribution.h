// thrust::random::uniform_real_distribution: numbers of [a, b).
// Interface and values: CUDA 12.4, thrust/random/uniform_real_distribution.h.
#pragma once

#include <simtrt/thrust_config.h>

#include <limits>
#include <utility>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class RealType = double>
class uniform_real_distribution {
 public:
  using result_type = RealType;
  using param_type = std::pair<RealType, RealType>;

  explicit uniform_real_distribution(RealType a = 0, RealType b = 1) : param_(a, b) {}
  explicit uniform_real_distribution(const param_type& param) : param_(param) {}

  void reset() {}

  template <class Engine>
  result_type operator()(Engine& engine) {
    return (*this)(engine, param_);
  }
  template <class Engine>
  result_type operator()(Engine& engine, const param_type& param) {
    const RealType range = RealType(1) + static_cast<RealType>(Engine::max - Engine::min);
    const RealType unit = static_cast<RealType>(engine() - Engine::min) / range;
    return unit * (param.second - param.first) + param.first;
  }

  result_type a() const { return param_.first; }
  result_type b() const { return param_.second; }
  param_type param() const { return param_; }
  void param(const param_type& param) { param_ = param; }
  result_type min() const { return a(); }
  result_type max() const { return b(); }

  friend bool operator==(const uniform_real_distribution& x, const uniform_real_distribution& y) {
    return x.param_ == y.param_;
  }
  friend bool operator!=(const uniform_real_distribution& x, const uniform_real_distribution& y) {
    return !(x == y);
  }

 private:
  param_type param_;
};

}  // namespace random

using random::uniform_real_distribution;

THRUST_NAMESPACE_END
