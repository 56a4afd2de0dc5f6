// thrust::random::normal_distribution: normal numbers, one for each number of the engine, by the
// inverse error function. Interface and values: CUDA 12.4, thrust/random/normal_distribution.h.
#pragma once

#include <simtrt/math/functions.h>
#include <simtrt/thrust/distribution.h>

#include <limits>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class RealType = double>
class normal_distribution : public detail::distribution<normal_distribution<RealType>, RealType> {
  using base = detail::distribution<normal_distribution, RealType>;
  using base::param_;

 public:
  using typename base::param_type;
  using typename base::result_type;
  using base::operator();

  explicit normal_distribution(RealType mean = 0, RealType stddev = 1) : base({mean, stddev}) {}
  explicit normal_distribution(const param_type& param) : base(param) {}

  template <class Engine>
  result_type operator()(Engine& engine, const param_type& param) {
    using UInt = typename Engine::result_type;
    constexpr UInt kRange = Engine::max - Engine::min;
    constexpr RealType kScale = static_cast<RealType>(1.0 / static_cast<double>(kRange));
    RealType sign = static_cast<RealType>(-1.4142135623730950488016887242097);  // -sqrt(2)
    UInt u = engine() - Engine::min;
    // The upper half is computed as a mirror of the lower half, because floating-point numbers
    // represent small probabilities more precisely than probabilities near 1.
    if (u > kRange / 2) {
      u = kRange - u;
      sign = -sign;
    }
    const RealType probability = static_cast<RealType>(u) * kScale + kScale / 2;
    return param.first + param.second * sign * static_cast<RealType>(erfcinv(2 * probability));
  }

  result_type mean() const { return param_.first; }
  result_type stddev() const { return param_.second; }
  result_type min() const { return std::numeric_limits<RealType>::lowest(); }
  result_type max() const { return std::numeric_limits<RealType>::max(); }
};

}  // namespace random

using random::normal_distribution;

THRUST_NAMESPACE_END
