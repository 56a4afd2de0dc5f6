// thrust::mismatch.
#pragma once

#include <simtrt/thrust/dispatch.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct mismatch {
  template <class First, class Second>
  pair<First, Second> operator()(First first, First last, Second other) const {
    return operator()(first, last, other, equal_to<>());
  }
  template <class First, class Second, class Predicate>
  pair<First, Second> operator()(First first, First last, Second other, Predicate predicate) const {
    while (first != last && predicate(at(first), at(other))) {
      ++first;
      ++other;
    }
    return {first, other};
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(mismatch)

THRUST_NAMESPACE_END
