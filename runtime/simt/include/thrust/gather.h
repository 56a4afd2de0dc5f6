// thrust::gather and gather_if: out[i] = in[map[i]].
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct gather {
  template <class Map, class In, class Out>
  Out operator()(Map first, Map last, In in, Out out) const {
    for (; first != last; ++first, ++out) {
      In from = in + at(first);
      *out = at(from);
    }
    return out;
  }
};

/// Gathers an item only if the predicate is true for the stencil's value at the item's position.
struct gather_if {
  template <class Map, class Stencil, class In, class Out>
  Out operator()(Map first, Map last, Stencil stencil, In in, Out out) const {
    return operator()(first, last, stencil, in, out, identity<>());
  }
  template <class Map, class Stencil, class In, class Out, class Predicate>
  Out operator()(Map first, Map last, Stencil stencil, In in, Out out, Predicate predicate) const {
    for (; first != last; ++first, ++stencil, ++out) {
      if (!predicate(at(stencil))) continue;
      In from = in + at(first);
      *out = at(from);
    }
    return out;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(gather)
SIMTRT_THRUST_ALGORITHM(gather_if)

THRUST_NAMESPACE_END
