// thrust::random::uniform_int_distribution: integers in [a, b]. Interface and values: CUDA 12.4,
// thrust/random/uniform_int_distribution.h.
#pragma once

#include <simtrt/thrust/distribution.h>
#include <thrust/random/uniform_real_distribution.h>

#include <limits>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class IntType = int>
class uniform_int_distribution
    : public detail::distribution<uniform_int_distribution<IntType>, IntType> {
  using base = detail::distribution<uniform_int_distribution, IntType>;
  using base::param_;

 public:
  using typename base::param_type;
  using typename base::result_type;
  using base::operator();

  explicit uniform_int_distribution(IntType a = 0, IntType b = std::numeric_limits<IntType>::max())
      : base({a, b}) {}
  explicit uniform_int_distribution(const param_type& param) : base(param) {}

  template <class Engine>
  result_type operator()(Engine& engine, const param_type& param) {
    // The integer is computed from a real number. If the engine has fewer values than [a, b], some
    // integers never occur.
    uniform_real_distribution<double> real(static_cast<double>(param.first),
                                           static_cast<double>(param.second) + 1.0);
    return static_cast<result_type>(real(engine));
  }

  result_type a() const { return param_.first; }
  result_type b() const { return param_.second; }
  result_type min() const { return a(); }
  result_type max() const { return b(); }
};

}  // namespace random

using random::uniform_int_distribution;

THRUST_NAMESPACE_END
