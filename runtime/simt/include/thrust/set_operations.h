// Set operations of thrust on sorted ranges. With m copies of an element in the first range and n in the
// second, the result has max(m, n) copies (union), min(m, n) (intersection), m - n (difference) or |m - n|
// (symmetric difference). Copies and values come from the first range if it has enough of them.
// Interface: CUDA 12.4, thrust/set_operations.h.
#pragma once

#include <simtrt/thrust/set_walk.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct set_union : set_operation<true, true, true> {};
struct set_intersection : set_operation<false, true, false> {};
struct set_difference : set_operation<true, false, false> {};
struct set_symmetric_difference : set_operation<true, false, true> {};

struct set_union_by_key : set_operation_by_key<true, true, true> {};
struct set_difference_by_key : set_operation_by_key<true, false, false> {};
struct set_symmetric_difference_by_key : set_operation_by_key<true, false, true> {};

/// Only the first range has values.
struct set_intersection_by_key {
  template <class A, class B, class Values, class KeysOut, class ValuesOut>
  auto operator()(A a, A a_last, B b, B b_last, Values values, KeysOut keys, ValuesOut out) const {
    return operator()(a, a_last, b, b_last, values, keys, out, less<>());
  }
  template <class A, class B, class Values, class KeysOut, class ValuesOut, class Less>
  pair<KeysOut, ValuesOut> operator()(A a, A a_last, B b, B b_last, Values values, KeysOut keys,
                                      ValuesOut out, Less less) const {
    return set_operation_by_key<false, true, false>()(a, a_last, b, b_last, values, values, keys,
                                                      out, less);
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(set_union)
SIMTRT_THRUST_ALGORITHM(set_intersection)
SIMTRT_THRUST_ALGORITHM(set_difference)
SIMTRT_THRUST_ALGORITHM(set_symmetric_difference)
SIMTRT_THRUST_ALGORITHM(set_union_by_key)
SIMTRT_THRUST_ALGORITHM(set_intersection_by_key)
SIMTRT_THRUST_ALGORITHM(set_difference_by_key)
SIMTRT_THRUST_ALGORITHM(set_symmetric_difference_by_key)

THRUST_NAMESPACE_END
