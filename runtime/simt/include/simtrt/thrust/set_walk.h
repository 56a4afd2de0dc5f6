// A walk over two sorted ranges that pairs equal elements.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Visits the elements of two sorted ranges in order. `only_first(a)` and `only_second(b)` receive elements
/// without an equal element in the other range, `both(a, b)` receives pairs; all get iterators.
template <class A, class B, class Less, class First, class Both, class Second>
void walk_sorted(A a, A a_last, B b, B b_last, Less less, First only_first, Both both,
                 Second only_second) {
  while (a != a_last || b != b_last) {
    if (b == b_last || (a != a_last && less(at(a), at(b)))) {
      only_first(a);
      ++a;
    } else if (a == a_last || less(at(b), at(a))) {
      only_second(b);
      ++b;
    } else {
      both(a, b);
      ++a;
      ++b;
    }
  }
}

/// Copies elements of the first range only, of pairs (from the first range), and of the second range only.
template <bool kFirst, bool kBoth, bool kSecond>
struct set_operation {
  template <class A, class B, class Out>
  Out operator()(A a, A a_last, B b, B b_last, Out out) const {
    return operator()(a, a_last, b, b_last, out, less<>());
  }
  template <class A, class B, class Out, class Less>
  Out operator()(A a, A a_last, B b, B b_last, Out out, Less less) const {
    const auto copy = [&](auto place) {
      *out = at(place);
      ++out;
    };
    walk_sorted(
        a, a_last, b, b_last, less, [&](A place) { if constexpr (kFirst) copy(place); },
        [&](A place, B) { if constexpr (kBoth) copy(place); },
        [&](B place) { if constexpr (kSecond) copy(place); });
    return out;
  }
};

template <bool kFirst, bool kBoth, bool kSecond>
struct set_operation_by_key {
  template <class A, class B, class AValues, class BValues, class KeysOut, class ValuesOut>
  auto operator()(A a, A a_last, B b, B b_last, AValues a_values, BValues b_values, KeysOut keys,
                  ValuesOut values) const {
    return operator()(a, a_last, b, b_last, a_values, b_values, keys, values, less<>());
  }
  template <class A, class B, class AValues, class BValues, class KeysOut, class ValuesOut,
            class Less>
  pair<KeysOut, ValuesOut> operator()(A a, A a_last, B b, B b_last, AValues a_values,
                                      BValues b_values, KeysOut keys, ValuesOut values,
                                      Less less) const {
    const auto copy = [&](auto key, auto value) {
      *keys = at(key);
      *values = at(value);
      ++keys;
      ++values;
    };
    walk_sorted(
        a, a_last, b, b_last, less,
        [&](A place) { if constexpr (kFirst) copy(place, a_values + (place - a)); },
        [&](A place, B) { if constexpr (kBoth) copy(place, a_values + (place - a)); },
        [&](B place) { if constexpr (kSecond) copy(place, b_values + (place - b)); });
    return {keys, values};
  }
};

}  // namespace algorithm
}  // namespace detail

THRUST_NAMESPACE_END
