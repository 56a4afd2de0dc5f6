// thrust::lower_bound, upper_bound, equal_range and binary_search, for one value or a range of
// values. For a range of values, the results are distances from the beginning of the sorted range.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

#include <type_traits>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// First position at which `before` is false, in a range that is partitioned by `before`.
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

/// Search for one value, or for each value of a range; `Search::find` searches one value.
template <class Search>
struct search {
  template <class Iterator, class T>
  auto operator()(Iterator first, Iterator last, const T& value) const {
    return Search::find(first, last, value, less<>());
  }
  template <class Iterator, class T, class Less>
  auto operator()(Iterator first, Iterator last, const T& value, Less less) const {
    return Search::find(first, last, value, less);
  }
  template <class Iterator, class Values, class Out>
  Out operator()(Iterator first, Iterator last, Values value, Values values_last, Out out) const {
    return operator()(first, last, value, values_last, out, less<>());
  }
  template <class Iterator, class Values, class Out, class Less>
  Out operator()(Iterator first, Iterator last, Values value, Values values_last, Out out,
                 Less less) const {
    for (; value != values_last; ++value, ++out) {
      const auto found = Search::find(first, last, at(value), less);
      if constexpr (std::is_same<decltype(found), const bool>::value) {
        *out = found;
      } else {
        *out = found - first;
      }
    }
    return out;
  }
};

struct lower_bound : search<lower_bound> {
  template <class Iterator, class T, class Less>
  static Iterator find(Iterator first, Iterator last, const T& value, Less less) {
    return partition_place(first, last, [&](auto&& item) { return less(item, value); });
  }
};

struct upper_bound : search<upper_bound> {
  template <class Iterator, class T, class Less>
  static Iterator find(Iterator first, Iterator last, const T& value, Less less) {
    return partition_place(first, last, [&](auto&& item) { return !less(value, item); });
  }
};

struct binary_search : search<binary_search> {
  template <class Iterator, class T, class Less>
  static bool find(Iterator first, Iterator last, const T& value, Less less) {
    Iterator place = lower_bound::find(first, last, value, less);
    return place != last && !less(value, at(place));
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
