// thrust::fill and fill_n.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct fill {
  template <class Iterator, class T>
  void operator()(Iterator first, Iterator last, const T& value) const {
    for (; first != last; ++first) *first = value;
  }
};

struct fill_n {
  template <class Iterator, class Size, class T>
  Iterator operator()(Iterator first, Size count, const T& value) const {
    for (; count > 0; --count, ++first) *first = value;
    return first;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(fill)
SIMTRT_THRUST_ALGORITHM(fill_n)

THRUST_NAMESPACE_END
