// thrust::count and count_if.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct count {
  template <class Iterator, class T>
  iterator_difference_t<Iterator> operator()(Iterator first, Iterator last, const T& value) const {
    iterator_difference_t<Iterator> found = 0;
    for (; first != last; ++first) found += at(first) == value;
    return found;
  }
};

struct count_if {
  template <class Iterator, class Predicate>
  iterator_difference_t<Iterator> operator()(Iterator first, Iterator last,
                                             Predicate predicate) const {
    iterator_difference_t<Iterator> found = 0;
    for (; first != last; ++first) found += predicate(at(first)) ? 1 : 0;
    return found;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(count)
SIMTRT_THRUST_ALGORITHM(count_if)

THRUST_NAMESPACE_END
