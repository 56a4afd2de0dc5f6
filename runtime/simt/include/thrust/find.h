// thrust::find, find_if and find_if_not. The result is the end if nothing is found.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct find {
  template <class Iterator, class T>
  Iterator operator()(Iterator first, Iterator last, const T& value) const {
    while (first != last && !(at(first) == value)) ++first;
    return first;
  }
};

struct find_if {
  template <class Iterator, class Predicate>
  Iterator operator()(Iterator first, Iterator last, Predicate predicate) const {
    while (first != last && !predicate(at(first))) ++first;
    return first;
  }
};

struct find_if_not {
  template <class Iterator, class Predicate>
  Iterator operator()(Iterator first, Iterator last, Predicate predicate) const {
    while (first != last && predicate(at(first))) ++first;
    return first;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(find)
SIMTRT_THRUST_ALGORITHM(find_if)
SIMTRT_THRUST_ALGORITHM(find_if_not)

THRUST_NAMESPACE_END
