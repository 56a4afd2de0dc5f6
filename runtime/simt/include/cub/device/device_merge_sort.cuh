// cub::DeviceMergeSort: sorts by any comparison. Interface: CUDA 12.4, cub/device/device_merge_sort.cuh.
#pragma once

#include <simtrt/cub/device.h>

#include <algorithm>
#include <numeric>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, each function only sets temp_storage_bytes to the required size. All sorts are
/// stable. detail::in_two_phases (simtrt/cub/device.h) lists the errors.
struct DeviceMergeSort {
#define SIMTRT_CUB_SORT_KEYS(name)                                                                 \
  template <class KeyIteratorT, class OffsetT, class CompareOpT>                                   \
  static simtError_t name(void* d_temp_storage, std::size_t& temp_storage_bytes,                   \
                          KeyIteratorT d_keys, OffsetT num_items, CompareOpT compare_op,           \
                          simtStream_t stream = nullptr) {                                         \
    return sort(d_temp_storage, temp_storage_bytes, d_keys, NoValues(), d_keys, NoValues(), num_items,     \
                compare_op, stream);                                                               \
  }
#define SIMTRT_CUB_SORT_KEYS_COPY(name)                                                            \
  template <class KeyInputIteratorT, class KeyIteratorT, class OffsetT, class CompareOpT>          \
  static simtError_t name(void* d_temp_storage, std::size_t& temp_storage_bytes,                   \
                          KeyInputIteratorT d_input_keys, KeyIteratorT d_output_keys,              \
                          OffsetT num_items, CompareOpT compare_op,                                \
                          simtStream_t stream = nullptr) {                                         \
    return sort(d_temp_storage, temp_storage_bytes, d_input_keys, NoValues(), d_output_keys, NoValues(),   \
                num_items, compare_op, stream);                                                    \
  }
#define SIMTRT_CUB_SORT_PAIRS(name)                                                                \
  template <class KeyIteratorT, class ValueIteratorT, class OffsetT, class CompareOpT>             \
  static simtError_t name(void* d_temp_storage, std::size_t& temp_storage_bytes,                   \
                          KeyIteratorT d_keys, ValueIteratorT d_items, OffsetT num_items,          \
                          CompareOpT compare_op, simtStream_t stream = nullptr) {                  \
    return sort(d_temp_storage, temp_storage_bytes, d_keys, d_items, d_keys, d_items, num_items,   \
                compare_op, stream);                                                               \
  }
  SIMTRT_CUB_SORT_KEYS(SortKeys)
  SIMTRT_CUB_SORT_KEYS(StableSortKeys)
  SIMTRT_CUB_SORT_KEYS_COPY(SortKeysCopy)
  SIMTRT_CUB_SORT_KEYS_COPY(StableSortKeysCopy)
  SIMTRT_CUB_SORT_PAIRS(SortPairs)
  SIMTRT_CUB_SORT_PAIRS(StableSortPairs)
#undef SIMTRT_CUB_SORT_KEYS
#undef SIMTRT_CUB_SORT_KEYS_COPY
#undef SIMTRT_CUB_SORT_PAIRS

  template <class KeyInputIteratorT, class ValueInputIteratorT, class KeyIteratorT,
            class ValueIteratorT, class OffsetT, class CompareOpT>
  static simtError_t SortPairsCopy(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   KeyInputIteratorT d_input_keys,
                                   ValueInputIteratorT d_input_items, KeyIteratorT d_output_keys,
                                   ValueIteratorT d_output_items, OffsetT num_items,
                                   CompareOpT compare_op, simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_input_keys, d_input_items, d_output_keys,
                d_output_items, num_items, compare_op, stream);
  }

 private:
  /// In place of values in sorts of keys.
  struct NoValues {};

  template <class KeysIn, class ValuesIn, class Keys, class Values, class OffsetT, class Compare>
  static simtError_t sort(void* d_temp_storage, std::size_t& temp_storage_bytes, KeysIn keys_in,
                          ValuesIn values_in, Keys keys, Values values, OffsetT num_items,
                          Compare compare, simtStream_t stream) {
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceMergeSort", [=]() mutable {
          const std::vector<std::int64_t> order = sorted_order(keys_in, num_items, compare);
          permute(keys_in, keys, order);
          if constexpr (!std::is_same<Values, NoValues>::value) permute(values_in, values, order);
        });
  }

  template <class Keys, class Compare>
  static std::vector<std::int64_t> sorted_order(Keys keys, std::int64_t count, Compare& compare) {
    using KeyT = detail::value_t<Keys>;
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      const KeyT left = keys[a], right = keys[b];
      return static_cast<bool>(compare(left, right));
    });
    return order;
  }

  // The output may be the input.
  template <class In, class Out>
  static void permute(In in, Out out, const std::vector<std::int64_t>& order) {
    struct Item {
      detail::value_t<In> value;
    };
    std::vector<Item> items;
    items.reserve(order.size());
    for (const std::int64_t source : order) items.push_back({in[source]});
    for (std::size_t i = 0; i < items.size(); ++i) out[i] = items[i].value;
  }
};

CUB_NAMESPACE_END
