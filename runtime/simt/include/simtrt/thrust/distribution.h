// Code shared by the distributions of thrust::random. Each distribution has two parameters.
#pragma once

#include <simtrt/thrust/config.h>

#include <utility>

THRUST_NAMESPACE_BEGIN

namespace detail {

/// Base class of `Distribution`, whose operator()(engine, param) produces the numbers.
template <class Distribution, class T>
class distribution {
 public:
  using result_type = T;
  using param_type = std::pair<T, T>;

  void reset() {}

  template <class Engine>
  result_type operator()(Engine& engine) {
    return static_cast<Distribution&>(*this)(engine, param_);
  }

  param_type param() const { return param_; }
  void param(const param_type& param) { param_ = param; }

  friend bool operator==(const Distribution& x, const Distribution& y) {
    return x.param() == y.param();
  }
  friend bool operator!=(const Distribution& x, const Distribution& y) { return !(x == y); }

 protected:
  explicit distribution(const param_type& param) : param_(param) {}

  param_type param_;
};

}  // namespace detail

THRUST_NAMESPACE_END
