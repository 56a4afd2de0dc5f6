// thrust::all_of, any_of and none_of.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/find.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct all_of {
  template <class Iterator, class Predicate>
  bool operator()(Iterator first, Iterator last, Predicate predicate) const {
    return find_if_not()(first, last, predicate) == last;
  }
};

struct any_of {
  template <class Iterator, class Predicate>
  bool operator()(Iterator first, Iterator last, Predicate predicate) const {
    return find_if()(first, last, predicate) != last;
  }
};

struct none_of {
  template <class Iterator, class Predicate>
  bool operator()(Iterator first, Iterator last, Predicate predicate) const {
    return find_if()(first, last, predicate) == last;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(all_of)
SIMTRT_THRUST_ALGORITHM(any_of)
SIMTRT_THRUST_ALGORITHM(none_of)

THRUST_NAMESPACE_END
