// thrust::transform_reduce.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct transform_reduce {
  template <class Iterator, class Transform, class T, class Function>
  T operator()(Iterator first, Iterator last, Transform transform, T init,
               Function function) const {
    for (; first != last; ++first) init = static_cast<T>(function(init, transform(at(first))));
    return init;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(transform_reduce)

THRUST_NAMESPACE_END
