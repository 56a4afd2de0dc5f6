// thrust::copy, copy_n and copy_if.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct copy {
  template <class In, class Out>
  Out operator()(In first, In last, Out out) const {
    for (; first != last; ++first, ++out) *out = at(first);
    return out;
  }
};

struct copy_n {
  template <class In, class Size, class Out>
  Out operator()(In first, Size count, Out out) const {
    for (; count > 0; --count, ++first, ++out) *out = at(first);
    return out;
  }
};

/// Copies the items for which the predicate is true. With a stencil, the predicate is applied to
/// the stencil's value at the item's position, not to the item.
struct copy_if {
  template <class In, class Out, class Predicate>
  Out operator()(In first, In last, Out out, Predicate predicate) const {
    return operator()(first, last, first, out, predicate);
  }
  template <class In, class Stencil, class Out, class Predicate>
  Out operator()(In first, In last, Stencil stencil, Out out, Predicate predicate) const {
    for (; first != last; ++first, ++stencil) {
      if (!predicate(at(stencil))) continue;
      *out = at(first);
      ++out;
    }
    return out;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(copy)
SIMTRT_THRUST_ALGORITHM(copy_n)
SIMTRT_THRUST_ALGORITHM(copy_if)

THRUST_NAMESPACE_END
