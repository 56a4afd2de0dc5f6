// Radix sort of a range of an array, used by the device-wide sorts of cub.
#pragma once

#include <simtrt/cub/device.h>
#include <simtrt/cub/radix.h>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Sorts the keys in [begin, end), and their values if there are any, and writes them to the same
/// range of the output.
template <class KeyT, class ValueT>
void sort_range(const KeyT* keys_in, KeyT* keys_out, const ValueT* values_in, ValueT* values_out,
                std::int64_t begin, std::int64_t end, const RadixOrder& order) {
  if (begin >= end) return;
  keys_in += begin;
  keys_out += begin;
  const std::size_t count = static_cast<std::size_t>(end - begin);
  if constexpr (std::is_same<ValueT, NullType>::value) {
    radix_order(keys_in, count, order,
                [&](std::size_t place, std::size_t source) { keys_out[place] = keys_in[source]; });
  } else {
    values_in += begin;
    values_out += begin;
    radix_order(keys_in, count, order, [&](std::size_t place, std::size_t source) {
      keys_out[place] = keys_in[source];
      values_out[place] = values_in[source];
    });
  }
}

template <class KeyT, class ValueT>
void flip(DoubleBuffer<KeyT>& keys, DoubleBuffer<ValueT>* values) {
  keys.selector ^= 1;
  if (values != nullptr) values->selector ^= 1;
}

}  // namespace detail

CUB_NAMESPACE_END
