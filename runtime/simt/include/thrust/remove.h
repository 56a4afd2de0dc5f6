// thrust::remove, remove_if, remove_copy and remove_copy_if. The remaining items keep their order.
#pragma once

#include <simtrt/thrust/usual.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Keeps items for which the predicate is false. With a stencil, the predicate is applied to the
/// stencil's value at the item's position, not to the item.
struct remove_copy_if {
  template <class In, class Out, class Predicate>
  Out operator()(In first, In last, Out out, Predicate predicate) const {
    return operator()(first, last, first, out, predicate);
  }
  template <class In, class Stencil, class Out, class Predicate>
  Out operator()(In first, In last, Stencil stencil, Out out, Predicate predicate) const {
    for (; first != last; ++first, ++stencil) {
      if (predicate(at(stencil))) continue;
      *out = at(first);
      ++out;
    }
    return out;
  }
};

struct remove_copy {
  template <class In, class Out, class T>
  Out operator()(In first, In last, Out out, const T& value) const {
    return remove_copy_if()(first, last, out, [&](const auto& item) { return item == value; });
  }
};

struct remove_if {
  template <class Iterator, class Predicate>
  Iterator operator()(Iterator first, Iterator last, Predicate predicate) const {
    return remove_copy_if()(first, last, first, predicate);
  }
  template <class Iterator, class Stencil, class Predicate>
  Iterator operator()(Iterator first, Iterator last, Stencil stencil, Predicate predicate) const {
    return remove_copy_if()(first, last, stencil, first, predicate);
  }
};

struct remove {
  template <class Iterator, class T>
  Iterator operator()(Iterator first, Iterator last, const T& value) const {
    const T wanted = value;  // the value may be one of the items
    return remove_copy()(first, last, first, wanted);
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(remove)
SIMTRT_THRUST_ALGORITHM(remove_if)
SIMTRT_THRUST_ALGORITHM(remove_copy)
SIMTRT_THRUST_ALGORITHM(remove_copy_if)

THRUST_NAMESPACE_END
