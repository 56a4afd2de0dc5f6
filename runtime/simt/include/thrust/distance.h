// thrust::distance.
#pragma once

#include <simtrt/thrust/iterator.h>

THRUST_NAMESPACE_BEGIN

/// Number of steps from `first` to `last`.
template <class Iterator>
iterator_difference_t<Iterator> distance(Iterator first, Iterator last) {
  return std::distance(first, last);
}

THRUST_NAMESPACE_END
