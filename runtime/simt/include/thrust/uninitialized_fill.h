// thrust::uninitialized_fill and uninitialized_fill_n.
#pragma once

#include <simtrt/thrust/dispatch.h>
#include <simtrt/thrust/construct.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct uninitialized_fill {
  template <class Iterator, class T>
  void operator()(Iterator first, Iterator last, const T& value) const {
    for (; first != last; ++first) construct_at(first, value);
  }
};

struct uninitialized_fill_n {
  template <class Iterator, class Size, class T>
  Iterator operator()(Iterator first, Size count, const T& value) const {
    for (; count > 0; --count, ++first) construct_at(first, value);
    return first;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(uninitialized_fill)
SIMTRT_THRUST_ALGORITHM(uninitialized_fill_n)

THRUST_NAMESPACE_END
