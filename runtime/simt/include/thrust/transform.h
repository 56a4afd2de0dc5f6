// thrust::transform and transform_if.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct transform {
  template <class In, class Out, class Function>
  Out operator()(In first, In last, Out out, Function function) const {
    for (; first != last; ++first, ++out) *out = function(at(first));
    return out;
  }
  template <class In, class Other, class Out, class Function>
  Out operator()(In first, In last, Other other, Out out, Function function) const {
    for (; first != last; ++first, ++other, ++out) *out = function(at(first), at(other));
    return out;
  }
};

/// Transforms items for which the predicate is true. With a stencil, the predicate is applied to
/// the stencil's value at the item's position, not to the item.
struct transform_if {
  template <class In, class Out, class Function, class Predicate>
  Out operator()(In first, In last, Out out, Function function, Predicate predicate) const {
    return operator()(first, last, first, out, function, predicate);
  }
  template <class In, class Stencil, class Out, class Function, class Predicate>
  Out operator()(In first, In last, Stencil stencil, Out out, Function function,
                 Predicate predicate) const {
    for (; first != last; ++first, ++stencil, ++out) {
      if (predicate(at(stencil))) *out = function(at(first));
    }
    return out;
  }
  template <class In, class Other, class Stencil, class Out, class Function, class Predicate>
  Out operator()(In first, In last, Other other, Stencil stencil, Out out, Function function,
                 Predicate predicate) const {
    for (; first != last; ++first, ++other, ++stencil, ++out) {
      if (predicate(at(stencil))) *out = function(at(first), at(other));
    }
    return out;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(transform)
SIMTRT_THRUST_ALGORITHM(transform_if)

THRUST_NAMESPACE_END
