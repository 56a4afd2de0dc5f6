// thrust::replace, replace_if, replace_copy and replace_copy_if.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Writes `fresh` in place of items for which the predicate is true. With a stencil, the predicate
/// is applied to the stencil's value at the item's position, not to the item.
struct replace_copy_if {
  template <class In, class Out, class Predicate, class T>
  Out operator()(In first, In last, Out out, Predicate predicate, const T& fresh) const {
    return operator()(first, last, first, out, predicate, fresh);
  }
  template <class In, class Stencil, class Out, class Predicate, class T>
  Out operator()(In first, In last, Stencil stencil, Out out, Predicate predicate,
                 const T& fresh) const {
    for (; first != last; ++first, ++stencil, ++out) {
      if (predicate(at(stencil))) {
        *out = fresh;
      } else {
        *out = at(first);
      }
    }
    return out;
  }
};

struct replace_copy {
  template <class In, class Out, class T>
  Out operator()(In first, In last, Out out, const T& old, const T& fresh) const {
    return replace_copy_if()(
        first, last, out, [&](const auto& item) { return item == old; }, fresh);
  }
};

struct replace_if {
  template <class Iterator, class Predicate, class T>
  void operator()(Iterator first, Iterator last, Predicate predicate, const T& fresh) const {
    replace_copy_if()(first, last, first, predicate, fresh);
  }
  template <class Iterator, class Stencil, class Predicate, class T>
  void operator()(Iterator first, Iterator last, Stencil stencil, Predicate predicate,
                  const T& fresh) const {
    replace_copy_if()(first, last, stencil, first, predicate, fresh);
  }
};

struct replace {
  template <class Iterator, class T>
  void operator()(Iterator first, Iterator last, const T& old, const T& fresh) const {
    const T wanted = old;  // the values may be among the items
    const T other = fresh;
    replace_copy()(first, last, first, wanted, other);
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(replace)
SIMTRT_THRUST_ALGORITHM(replace_if)
SIMTRT_THRUST_ALGORITHM(replace_copy)
SIMTRT_THRUST_ALGORITHM(replace_copy_if)

THRUST_NAMESPACE_END
