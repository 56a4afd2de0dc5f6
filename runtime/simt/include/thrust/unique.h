// thrust::unique and its variants: the first item of each run of adjacent equal items.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct unique_by_key_copy {
  template <class Keys, class Values, class KeysOut, class ValuesOut>
  auto operator()(Keys first, Keys last, Values values, KeysOut keys_out,
                  ValuesOut values_out) const {
    return operator()(first, last, values, keys_out, values_out, equal_to<>());
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
  pair<KeysOut, ValuesOut> operator()(Keys first, Keys last, Values values, KeysOut keys_out,
                                      ValuesOut values_out, Equal equal) const {
    using Key = iterator_value_t<Keys>;
    if (first == last) return {keys_out, values_out};
    Key previous = at(first);
    *keys_out = previous;
    *values_out = at(values);
    for (++keys_out, ++values_out, ++first, ++values; first != last; ++first, ++values) {
      Key key = at(first);
      if (!equal(previous, key)) {
        *keys_out = key;
        *values_out = at(values);
        ++keys_out;
        ++values_out;
      }
      previous = key;
    }
    return {keys_out, values_out};
  }
};

struct unique_by_key {
  template <class Keys, class Values>
  pair<Keys, Values> operator()(Keys first, Keys last, Values values) const {
    return unique_by_key_copy()(first, last, values, first, values, equal_to<>());
  }
  template <class Keys, class Values, class Equal>
  pair<Keys, Values> operator()(Keys first, Keys last, Values values, Equal equal) const {
    return unique_by_key_copy()(first, last, values, first, values, equal);
  }
};

struct unique_copy {
  template <class In, class Out>
  Out operator()(In first, In last, Out out) const {
    return operator()(first, last, out, equal_to<>());
  }
  template <class In, class Out, class Equal>
  Out operator()(In first, In last, Out out, Equal equal) const {
    using Item = iterator_value_t<In>;
    if (first == last) return out;
    Item previous = at(first);
    *out = previous;
    for (++out, ++first; first != last; ++first) {
      Item item = at(first);
      if (!equal(previous, item)) {
        *out = item;
        ++out;
      }
      previous = item;
    }
    return out;
  }
};

struct unique {
  template <class Iterator>
  Iterator operator()(Iterator first, Iterator last) const {
    return unique_copy()(first, last, first, equal_to<>());
  }
  template <class Iterator, class Equal>
  Iterator operator()(Iterator first, Iterator last, Equal equal) const {
    return unique_copy()(first, last, first, equal);
  }
};

/// Returns the number of runs.
struct unique_count {
  template <class Iterator>
  iterator_difference_t<Iterator> operator()(Iterator first, Iterator last) const {
    return operator()(first, last, equal_to<>());
  }
  template <class Iterator, class Equal>
  iterator_difference_t<Iterator> operator()(Iterator first, Iterator last, Equal equal) const {
    using Item = iterator_value_t<Iterator>;
    if (first == last) return 0;
    iterator_difference_t<Iterator> runs = 1;
    Item previous = at(first);
    for (++first; first != last; ++first) {
      Item item = at(first);
      if (!equal(previous, item)) ++runs;
      previous = item;
    }
    return runs;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(unique)
SIMTRT_THRUST_ALGORITHM(unique_copy)
SIMTRT_THRUST_ALGORITHM(unique_count)
SIMTRT_THRUST_ALGORITHM(unique_by_key)
SIMTRT_THRUST_ALGORITHM(unique_by_key_copy)

THRUST_NAMESPACE_END
