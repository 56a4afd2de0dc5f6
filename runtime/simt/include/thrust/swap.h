// thrust::swap and thrust::swap_ranges.
#pragma once

#include <simtrt/thrust/dispatch.h>

#include <utility>

THRUST_NAMESPACE_BEGIN

using std::swap;

namespace detail {
namespace algorithm {

struct swap_ranges {
  template <class First, class Second>
  Second operator()(First first, First last, Second other) const {
    for (; first != last; ++first, ++other) {
      iterator_value_t<First> kept = *first;
      *first = static_cast<iterator_value_t<Second>>(*other);
      *other = kept;
    }
    return other;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(swap_ranges)

THRUST_NAMESPACE_END
