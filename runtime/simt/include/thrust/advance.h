// thrust::advance, next and prev.
#pragma once

#include <simtrt/thrust/iterator.h>

THRUST_NAMESPACE_BEGIN

template <class Iterator, class Distance>
void advance(Iterator& iterator, Distance n) {
  std::advance(iterator, n);
}

template <class Iterator>
Iterator next(Iterator iterator, iterator_difference_t<Iterator> n = 1) {
  return std::next(iterator, n);
}

template <class Iterator>
Iterator prev(Iterator iterator, iterator_difference_t<Iterator> n = 1) {
  return std::prev(iterator, n);
}

THRUST_NAMESPACE_END
