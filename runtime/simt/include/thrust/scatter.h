// thrust::scatter and scatter_if: out[map[i]] = in[i].
#pragma once

#include <simtrt/thrust/dispatch.h>
#include <thrust/functional.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct scatter {
  template <class In, class Map, class Out>
  void operator()(In first, In last, Map map, Out out) const {
    for (; first != last; ++first, ++map) out[at(map)] = at(first);
  }
};

/// Scatters an item only if the predicate is true for the stencil's value at the item's position.
struct scatter_if {
  template <class In, class Map, class Stencil, class Out>
  void operator()(In first, In last, Map map, Stencil stencil, Out out) const {
    operator()(first, last, map, stencil, out, identity<>());
  }
  template <class In, class Map, class Stencil, class Out, class Predicate>
  void operator()(In first, In last, Map map, Stencil stencil, Out out, Predicate predicate) const {
    for (; first != last; ++first, ++map, ++stencil) {
      if (predicate(at(stencil))) out[at(map)] = at(first);
    }
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(scatter)
SIMTRT_THRUST_ALGORITHM(scatter_if)

THRUST_NAMESPACE_END
