// thrust::reduce and reduce_by_key.
#pragma once

#include <simtrt/partial_sums.h>
#include <simtrt/thrust/dispatch.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct reduce {
  template <class Iterator>
  auto operator()(Iterator first, Iterator last) const {
    return operator()(first, last, iterator_value_t<Iterator>(), thrust_plus());
  }
  template <class Iterator, class T>
  T operator()(Iterator first, Iterator last, T init) const {
    return operator()(first, last, init, thrust_plus());
  }
  template <class Iterator, class T, class Function>
  T operator()(Iterator first, Iterator last, T init, Function function) const {
    // Over partial results, if the types allow it: a function may take a T and an item only.
    if constexpr (std::is_same_v<iterator_value_t<Iterator>, T> && is_random_access<Iterator>) {
      if (first == last) return init;
      const auto item = [&](std::int64_t i) -> T {
        Iterator here = first + i;
        return at(here);
      };
      return function(init, simtrt::reduce_partially<T>(item, 0, last - first, function));
    } else {
      for (; first != last; ++first) init = static_cast<T>(function(init, at(first)));
      return init;
    }
  }

 private:
  using thrust_plus = plus<>;
};

/// For each run of equal keys: writes the last key, as CUDA's implementation does, and the reduction of
/// its values; returns the ends of both outputs.
struct reduce_by_key {
  template <class Keys, class Values, class KeysOut, class ValuesOut>
  auto operator()(Keys first, Keys last, Values values, KeysOut keys_out,
                  ValuesOut values_out) const {
    return operator()(first, last, values, keys_out, values_out, equal_to<>());
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
  auto operator()(Keys first, Keys last, Values values, KeysOut keys_out, ValuesOut values_out,
                  Equal equal) const {
    return operator()(first, last, values, keys_out, values_out, equal, plus<>());
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal, class Function>
  pair<KeysOut, ValuesOut> operator()(Keys first, Keys last, Values values, KeysOut keys_out,
                                      ValuesOut values_out, Equal equal, Function function) const {
    using Key = iterator_value_t<Keys>;
    using Value = iterator_value_t<Values>;
    while (first != last) {
      Key previous = at(first);
      Value total = at(values);
      for (++first, ++values; first != last; ++first, ++values) {
        Key next = at(first);
        if (!equal(previous, next)) break;
        total = function(total, at(values));
        previous = next;
      }
      *keys_out = previous;
      *values_out = total;
      ++keys_out;
      ++values_out;
    }
    return {keys_out, values_out};
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(reduce)
SIMTRT_THRUST_ALGORITHM(reduce_by_key)

THRUST_NAMESPACE_END
