// thrust::sort and its variants, and is_sorted. All sorts are stable.
#pragma once

#include <simtrt/thrust/radix_less.h>
#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/sequence.h>  // programs rely on it, as CUDA's header includes it

#include <algorithm>
#include <vector>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Item in host memory, so that sorting does not depend on the iterators' reference type. The item
/// is a structure, because std::vector<bool> has no references to its elements.
template <class T>
struct SortItem {
  T key;
};
template <class K, class V>
struct SortPair {
  K key;
  V value;
};

template <class Item, class Less>
void sort_items(std::vector<Item>& items, Less& less) {
  using Key = decltype(Item::key);
  std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    if constexpr (is_radix_sorted<Key, Less>) {
      return radix_less<Key, Less>(a.key, b.key);
    } else {
      return static_cast<bool>(less(a.key, b.key));
    }
  });
}

struct stable_sort {
  template <class Iterator>
  void operator()(Iterator first, Iterator last) const {
    operator()(first, last, less<>());
  }
  template <class Iterator, class Less>
  void operator()(Iterator first, Iterator last, Less less) const {
    std::vector<SortItem<iterator_value_t<Iterator>>> items;
    items.reserve(static_cast<std::size_t>(last - first));
    for (Iterator it = first; it != last; ++it) items.push_back({at(it)});
    sort_items(items, less);
    for (const auto& item : items) {
      *first = item.key;
      ++first;
    }
  }
};

struct sort : stable_sort {};

struct stable_sort_by_key {
  template <class Keys, class Values>
  void operator()(Keys first, Keys last, Values values) const {
    operator()(first, last, values, less<>());
  }
  template <class Keys, class Values, class Less>
  void operator()(Keys first, Keys last, Values values, Less less) const {
    std::vector<SortPair<iterator_value_t<Keys>, iterator_value_t<Values>>> items;
    items.reserve(static_cast<std::size_t>(last - first));
    Values value = values;
    for (Keys key = first; key != last; ++key, ++value) items.push_back({at(key), at(value)});
    sort_items(items, less);
    for (const auto& item : items) {
      *first = item.key;
      *values = item.value;
      ++first;
      ++values;
    }
  }
};

struct sort_by_key : stable_sort_by_key {};

/// Returns the end of the longest sorted prefix.
struct is_sorted_until {
  template <class Iterator>
  Iterator operator()(Iterator first, Iterator last) const {
    return operator()(first, last, less<>());
  }
  template <class Iterator, class Less>
  Iterator operator()(Iterator first, Iterator last, Less less) const {
    if (first == last) return last;
    Iterator previous = first;
    for (++first; first != last; ++first, ++previous) {
      if (less(at(first), at(previous))) return first;
    }
    return last;
  }
};

struct is_sorted {
  template <class Iterator>
  bool operator()(Iterator first, Iterator last) const {
    return is_sorted_until()(first, last) == last;
  }
  template <class Iterator, class Less>
  bool operator()(Iterator first, Iterator last, Less less) const {
    return is_sorted_until()(first, last, less) == last;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(sort)
SIMTRT_THRUST_ALGORITHM(stable_sort)
SIMTRT_THRUST_ALGORITHM(sort_by_key)
SIMTRT_THRUST_ALGORITHM(stable_sort_by_key)
SIMTRT_THRUST_ALGORITHM(is_sorted)
SIMTRT_THRUST_ALGORITHM(is_sorted_until)

THRUST_NAMESPACE_END
