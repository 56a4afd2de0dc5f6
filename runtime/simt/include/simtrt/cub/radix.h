// Order of a radix sort, for a whole array and for a tile.
//
// Keys are ordered by the bits [begin_bit, end_bit) of the results of TwiddleIn
// (simtrt/cub/traits.h). For floating-point numbers, this order is: negative NaNs, -inf to inf,
// positive NaNs. -0 and 0 are equal keys, and equal keys keep their order. Source: CUDA 12.4,
// cub/block/radix_rank_sort_operations.cuh.
#pragma once

#include <simtrt/cub/traits.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Bits of a key that determine the order, and the direction of the order.
struct RadixOrder {
  int begin_bit;
  int end_bit;
  bool descending;
};

/// Bits of `key` that determine the order, as an unsigned integer: a key with smaller bits
/// precedes.
template <class KeyT>
typename Traits<KeyT>::UnsignedBits radix_digits(const KeyT& key, const RadixOrder& order) {
  using Bits = typename Traits<KeyT>::UnsignedBits;
  static_assert(Traits<KeyT>::PRIMITIVE, "radix sort takes numbers; see cub::NumericTraits");
  constexpr int kBits = static_cast<int>(sizeof(Bits) * 8);
  Bits bits = bits_as<Bits>(key);
  if constexpr (Traits<KeyT>::CATEGORY == FLOATING_POINT) {
    if (bits == Traits<KeyT>::HIGH_BIT) bits = 0;
  }
  bits = Traits<KeyT>::TwiddleIn(bits);
  const int end = std::min(order.end_bit, kBits);
  const int width = end - order.begin_bit;
  if (width <= 0) return 0;
  bits = static_cast<Bits>(bits >> order.begin_bit);
  const Bits mask = static_cast<Bits>(static_cast<Bits>(-1) >> (kBits - width));
  return static_cast<Bits>((order.descending ? static_cast<Bits>(~bits) : bits) & mask);
}

template <class Bits, class Index>
struct RadixItem {
  Bits digits;
  Index source;
};

/// Sorts by the lowest `width` bits, eight bits at a time from the lowest; equal items keep their
/// order.
template <class Bits, class Index>
void radix_sort(std::vector<RadixItem<Bits, Index>>& items, int width) {
  constexpr std::size_t kFew = 128;
  if (items.size() <= kFew) {
    std::stable_sort(items.begin(), items.end(),
                     [](const auto& a, const auto& b) { return a.digits < b.digits; });
    return;
  }
  std::vector<RadixItem<Bits, Index>> sorted(items.size());
  for (int shift = 0; shift < width; shift += 8) {
    std::array<std::size_t, 257> start{};
    for (const auto& item : items) ++start[((item.digits >> shift) & 0xFF) + 1];
    if (std::find(start.begin(), start.end(), items.size()) != start.end()) continue;
    for (std::size_t digit = 1; digit < start.size(); ++digit) start[digit] += start[digit - 1];
    for (const auto& item : items) sorted[start[(item.digits >> shift) & 0xFF]++] = item;
    items.swap(sorted);
  }
}

/// Calls `visit(position, source)` for each position of the sorted sequence; `source` is the index
/// of the key in the unsorted sequence.
template <class Index, class Keys, class Visit>
void radix_visit(Keys keys, std::size_t count, const RadixOrder& order, Visit visit) {
  using KeyT = std::remove_cv_t<value_t<Keys>>;
  using Bits = typename Traits<KeyT>::UnsignedBits;
  std::vector<RadixItem<Bits, Index>> items(count);
  for (std::size_t i = 0; i < count; ++i) {
    items[i] = {radix_digits<KeyT>(keys[i], order), static_cast<Index>(i)};
  }
  const int width = std::min<int>(order.end_bit, sizeof(Bits) * 8) - order.begin_bit;
  radix_sort(items, width);
  for (std::size_t i = 0; i < count; ++i) visit(i, static_cast<std::size_t>(items[i].source));
}

/// Same as radix_visit, with the smallest index type that suffices for the number of keys.
template <class Keys, class Visit>
void radix_order(Keys keys, std::size_t count, const RadixOrder& order, Visit visit) {
  if (count <= std::numeric_limits<std::uint32_t>::max()) {
    radix_visit<std::uint32_t>(keys, count, order, visit);
  } else {
    radix_visit<std::uint64_t>(keys, count, order, visit);
  }
}

}  // namespace detail

CUB_NAMESPACE_END
