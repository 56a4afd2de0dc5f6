// thrust::reverse and reverse_copy.
#pragma once

#include <simtrt/thrust/usual.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct reverse {
  template <class Iterator>
  void operator()(Iterator first, Iterator last) const {
    while (first != last && first != --last) {
      const iterator_value_t<Iterator> kept = at(first);
      *first = at(last);
      *last = kept;
      ++first;
    }
  }
};

struct reverse_copy {
  template <class In, class Out>
  Out operator()(In first, In last, Out out) const {
    for (; first != last; ++out) {
      --last;
      *out = at(last);
    }
    return out;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(reverse)
SIMTRT_THRUST_ALGORITHM(reverse_copy)

THRUST_NAMESPACE_END
