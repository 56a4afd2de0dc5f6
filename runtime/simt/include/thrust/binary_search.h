// thrust::lower_bound, upper_bound, equal_range and binary_search, for one value or a range of
// them. For a range the places are written as distances from the begin.
#pragma once

#include <simtrt/thrust_usual.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// The first place of a partitioned range where `before` is false.
template <class Iterator, class Before>
Iterator partition_place(Iterator first, Iterator last, Before before) {
  iterator_difference_t<Iterator> length = last - first;
  while (length > 0) {
    const iterator_difference_t<Iterator> half = length / 2;
    Iterator middle = first + half;
    if (before(at(middle))) {
      first = middle + 1;
      length -= half + 1;
    } else {
      length = half;
    }
  }
  return first;
}

struct lower_bound {
  template <class Iterator, class T>
  Iterator operator()(Iterator first, Iterator last, const T& value) const {
    return operator()(first, last, value, less<>());
  }
  template <class Iterator, class T, class Less>
  Iterator operator()(Iterator first, Iterator last, const T& value, Less less) const {
    return partition_place(first, last, [&](auto&& item) { return less(item, value); });
  }
  template <class Iterator, class Values, class Out>
  Out operator()(Iterator first, Iterator last, Values value, Values values_last, Out out) const {
    return operator()(first, last, value, values_last, out, less<>());
  }
  template <class Iterator, class Values, class Out, class Less>
  Out operator()(Iterator first, Iterator last, Values value, Values values_last, Out out,
                 Less less) const {
    for (; value != values_last; ++value, ++out) {
      *out = operator()(first, last, at(value), less) - first;
    }
    return out;
  }
};

struct upper_bound {
  template <class Iterator, class T>
  Iterator operator()(Iterator first, Iterator last, const T& value) const {
    return operator()(first, last, value, less<>());
  }
  template <class Iterator, class T, class Less>
  Iterator operator()(Iterator first, Iterator last, const T& value, Less less) const {
    return partition_place(first, last, [&](auto&& item) { return !less(value, item); });
  }
  template <class Iterator, class Values, class Out>
  Out operator()(Iterator first, Iterator last, Values value, Values values_last, Out out) const {
    return operator()(first, last, value, values_last, out, less<>());
  }
  template <class Iterator, class Values, class Out, class Less>
  Out operator()(Iterator first, Iterator last, Values value, Values values_last, Out out,
                 Less less) const {
    for (; value != values_last; ++value, ++out) {
      *out = operator()(first, last, at(value), less) - first;
    }
    return out;
  }
};

struct binary_search {
  template <class Iterator, class T>
  bool operator()(Iterator first, Iterator last, const T& value) const {
    return operator()(first, last, value, less<>());
  }
  template <class Iterator, class T, class Less>
  bool operator()(Iterator first, Iterator last, const T& value, Less less) const {
    Iterator place = lower_bound()(first, last, value, less);
    return place != last && !less(value, at(place));
  }
  template <class Iterator, class Values, class Out>
  Out operator()(Iterator first, Iterator last, Values value, Values values_last, Out out) const {
    return operator()(first, last, value, values_last, out, less<>());
  }
  template <class Iterator, class Values, class Out, class Less>
  Out operator()(Iterator first, Iterator last, Values value, Values values_last, Out out,
                 Less less) const {
    for (; value != values_last; ++value, ++out) {
      *out = operator()(first, last, at(value), less);
    }
    return out;
  }
};

struct equal_range {
  template <class Iterator, class T>
  pair<Iterator, Iterator> operator()(Iterator first, Iterator last, const T& value) const {
    return operator()(first, last, value, less<>());
  }
  template <class Iterator, class T, class Less>
  pair<Iterator, Iterator> operator()(Iterator first, Iterator last, const T& value,
                                      Less less) const {
    return {lower_bound()(first, last, value, less), upper_bound()(first, last, value, less)};
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(lower_bound)
SIMTRT_THRUST_ALGORITHM(upper_bound)
SIMTRT_THRUST_ALGORITHM(binary_search)
SIMTRT_THRUST_ALGORITHM(equal_range)

THRUST_NAMESPACE_END
