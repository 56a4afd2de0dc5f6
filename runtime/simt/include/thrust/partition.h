// thrust::partition and its variants. All are stable, and return the beginning of the second part.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/pair.h>

#include <vector>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Copies items for which the predicate is true to the first output, the others to the second. With
/// a stencil, the predicate applies to the stencil's value at the item's position.
struct partition_copy {
  template <class In, class OutTrue, class OutFalse, class Predicate>
  pair<OutTrue, OutFalse> operator()(In first, In last, OutTrue out_true, OutFalse out_false,
                               Predicate predicate) const {
    return operator()(first, last, first, out_true, out_false, predicate);
  }
  template <class In, class Stencil, class OutTrue, class OutFalse, class Predicate>
  pair<OutTrue, OutFalse> operator()(In first, In last, Stencil stencil, OutTrue out_true, OutFalse out_false,
                               Predicate predicate) const {
    for (; first != last; ++first, ++stencil) {
      if (predicate(at(stencil))) {
        *out_true = at(first);
        ++out_true;
      } else {
        *out_false = at(first);
        ++out_false;
      }
    }
    return {out_true, out_false};
  }
};

struct stable_partition {
  template <class Iterator, class Predicate>
  Iterator operator()(Iterator first, Iterator last, Predicate predicate) const {
    return operator()(first, last, first, predicate);
  }
  template <class Iterator, class Stencil, class Predicate>
  Iterator operator()(Iterator first, Iterator last, Stencil stencil, Predicate predicate) const {
    struct Item {
      iterator_value_t<Iterator> value;
    };
    std::vector<Item> others;
    Iterator out = first;
    for (; first != last; ++first, ++stencil) {
      if (predicate(at(stencil))) {
        *out = at(first);
        ++out;
      } else {
        others.push_back({at(first)});
      }
    }
    const Iterator middle = out;
    for (const Item& item : others) {
      *out = item.value;
      ++out;
    }
    return middle;
  }
};

struct partition : stable_partition {};
struct stable_partition_copy : partition_copy {};

/// The end of the leading items for which the predicate is true.
struct partition_point {
  template <class Iterator, class Predicate>
  Iterator operator()(Iterator first, Iterator last, Predicate predicate) const {
    while (first != last && predicate(at(first))) ++first;
    return first;
  }
};

struct is_partitioned {
  template <class Iterator, class Predicate>
  bool operator()(Iterator first, Iterator last, Predicate predicate) const {
    for (first = partition_point()(first, last, predicate); first != last; ++first) {
      if (predicate(at(first))) return false;
    }
    return true;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(partition)
SIMTRT_THRUST_ALGORITHM(stable_partition)
SIMTRT_THRUST_ALGORITHM(partition_copy)
SIMTRT_THRUST_ALGORITHM(stable_partition_copy)
SIMTRT_THRUST_ALGORITHM(partition_point)
SIMTRT_THRUST_ALGORITHM(is_partitioned)

THRUST_NAMESPACE_END
