// thrust::min_element, max_element and minmax_element. If several elements are equal, the result is
// the first of them.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct min_element {
  template <class Iterator>
  Iterator operator()(Iterator first, Iterator last) const {
    return operator()(first, last, less<>());
  }
  template <class Iterator, class Less>
  Iterator operator()(Iterator first, Iterator last, Less less) const {
    Iterator best = first;
    for (; first != last; ++first) {
      if (less(at(first), at(best))) best = first;
    }
    return best;
  }
};

struct max_element {
  template <class Iterator>
  Iterator operator()(Iterator first, Iterator last) const {
    return operator()(first, last, less<>());
  }
  template <class Iterator, class Less>
  Iterator operator()(Iterator first, Iterator last, Less less) const {
    Iterator best = first;
    for (; first != last; ++first) {
      if (less(at(best), at(first))) best = first;
    }
    return best;
  }
};

struct minmax_element {
  template <class Iterator>
  pair<Iterator, Iterator> operator()(Iterator first, Iterator last) const {
    return operator()(first, last, less<>());
  }
  template <class Iterator, class Less>
  pair<Iterator, Iterator> operator()(Iterator first, Iterator last, Less less) const {
    return {min_element()(first, last, less), max_element()(first, last, less)};
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(min_element)
SIMTRT_THRUST_ALGORITHM(max_element)
SIMTRT_THRUST_ALGORITHM(minmax_element)

THRUST_NAMESPACE_END
