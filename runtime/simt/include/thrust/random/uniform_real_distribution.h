// thrust::random::uniform_real_distribution: real numbers in [a, b). Interface and values: CUDA
// 12.4, thrust/random/uniform_real_distribution.h.
#pragma once

#include <simtrt/thrust/distribution.h>

#include <limits>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class RealType = double>
class uniform_real_distribution
    : public detail::distribution<uniform_real_distribution<RealType>, RealType> {
  using base = detail::distribution<uniform_real_distribution, RealType>;
  using base::param_;

 public:
  using typename base::param_type;
  using typename base::result_type;
  using base::operator();

  explicit uniform_real_distribution(RealType a = 0, RealType b = 1) : base({a, b}) {}
  explicit uniform_real_distribution(const param_type& param) : base(param) {}

  template <class Engine>
  result_type operator()(Engine& engine, const param_type& param) {
    const RealType range = RealType(1) + static_cast<RealType>(Engine::max - Engine::min);
    const RealType unit = static_cast<RealType>(engine() - Engine::min) / range;
    return unit * (param.second - param.first) + param.first;
  }

  result_type a() const { return param_.first; }
  result_type b() const { return param_.second; }
  result_type min() const { return a(); }
  result_type max() const { return b(); }
};

}  // namespace random

using random::uniform_real_distribution;

THRUST_NAMESPACE_END
