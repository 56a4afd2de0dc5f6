// thrust::for_each and for_each_n. Both return the end of the range.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct for_each {
  template <class Iterator, class Function>
  Iterator operator()(Iterator first, Iterator last, Function function) const {
    for (; first != last; ++first) function(at(first));
    return first;
  }
};

struct for_each_n {
  template <class Iterator, class Size, class Function>
  Iterator operator()(Iterator first, Size count, Function function) const {
    for (; count > 0; --count, ++first) function(at(first));
    return first;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(for_each)
SIMTRT_THRUST_ALGORITHM(for_each_n)

THRUST_NAMESPACE_END
