// thrust::uninitialized_copy and uninitialized_copy_n.
#pragma once

#include <simtrt/thrust/usual.h>
#include <simtrt/thrust/construct.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct uninitialized_copy {
  template <class In, class Out>
  Out operator()(In first, In last, Out out) const {
    for (; first != last; ++first, ++out) construct_at(out, at(first));
    return out;
  }
};

struct uninitialized_copy_n {
  template <class In, class Size, class Out>
  Out operator()(In first, Size count, Out out) const {
    for (; count > 0; --count, ++first, ++out) construct_at(out, at(first));
    return out;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(uninitialized_copy)
SIMTRT_THRUST_ALGORITHM(uninitialized_copy_n)

THRUST_NAMESPACE_END
