// thrust::equal.
#pragma once

#include <simtrt/thrust/dispatch.h>
#include <thrust/mismatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct equal {
  template <class First, class Second>
  bool operator()(First first, First last, Second other) const {
    return mismatch()(first, last, other).first == last;
  }
  template <class First, class Second, class Predicate>
  bool operator()(First first, First last, Second other, Predicate predicate) const {
    return mismatch()(first, last, other, predicate).first == last;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(equal)

THRUST_NAMESPACE_END
