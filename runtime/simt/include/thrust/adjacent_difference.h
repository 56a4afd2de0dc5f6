// thrust::adjacent_difference.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Writes the first item unchanged; for each other item, writes function(item, previous item). The
/// output may be the input.
struct adjacent_difference {
  template <class In, class Out>
  Out operator()(In first, In last, Out out) const {
    return operator()(first, last, out, minus<>());
  }
  template <class In, class Out, class Function>
  Out operator()(In first, In last, Out out, Function function) const {
    if (first == last) return out;
    iterator_value_t<In> previous = at(first);
    *out = previous;
    for (++first, ++out; first != last; ++first, ++out) {
      iterator_value_t<In> value = at(first);
      *out = function(value, previous);
      previous = value;
    }
    return out;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(adjacent_difference)

THRUST_NAMESPACE_END
