// thrust::merge and merge_by_key. An item of the first range precedes equal items of the second.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct merge {
  template <class A, class B, class Out>
  Out operator()(A a, A a_last, B b, B b_last, Out out) const {
    return operator()(a, a_last, b, b_last, out, less<>());
  }
  template <class A, class B, class Out, class Less>
  Out operator()(A a, A a_last, B b, B b_last, Out out, Less less) const {
    for (; a != a_last || b != b_last; ++out) {
      if (a == a_last || (b != b_last && less(at(b), at(a)))) {
        *out = at(b);
        ++b;
      } else {
        *out = at(a);
        ++a;
      }
    }
    return out;
  }
};

struct merge_by_key {
  template <class A, class B, class AValues, class BValues, class KeysOut, class ValuesOut>
  auto operator()(A a, A a_last, B b, B b_last, AValues a_values, BValues b_values,
                  KeysOut keys_out, ValuesOut values_out) const {
    return operator()(a, a_last, b, b_last, a_values, b_values, keys_out, values_out, less<>());
  }
  template <class A, class B, class AValues, class BValues, class KeysOut, class ValuesOut,
            class Less>
  pair<KeysOut, ValuesOut> operator()(A a, A a_last, B b, B b_last, AValues a_values,
                                      BValues b_values, KeysOut keys_out, ValuesOut values_out,
                                      Less less) const {
    for (; a != a_last || b != b_last; ++keys_out, ++values_out) {
      if (a == a_last || (b != b_last && less(at(b), at(a)))) {
        *keys_out = at(b);
        *values_out = at(b_values);
        ++b;
        ++b_values;
      } else {
        *keys_out = at(a);
        *values_out = at(a_values);
        ++a;
        ++a_values;
      }
    }
    return {keys_out, values_out};
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(merge)
SIMTRT_THRUST_ALGORITHM(merge_by_key)

THRUST_NAMESPACE_END
