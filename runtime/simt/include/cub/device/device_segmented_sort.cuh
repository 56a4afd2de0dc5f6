// cub::DeviceSegmentedSort: sorts the segments of an array by numeric keys. Interface: CUDA 12.4,
// cub/device/device_segmented_sort.cuh.
#pragma once

#include <cub/device/device_segmented_radix_sort.cuh>

CUB_NAMESPACE_BEGIN

/// The sorts of DeviceSegmentedRadixSort by all bits of the keys. All are stable.
struct DeviceSegmentedSort {
#define SIMTRT_CUB_SEGMENTED(keys, pairs, own_keys, own_pairs)                                     \
  template <class KeyT, class BeginOffsetIteratorT, class EndOffsetIteratorT>                      \
  static simtError_t keys(void* d_temp_storage, std::size_t& temp_storage_bytes,                   \
                          const KeyT* d_keys_in, KeyT* d_keys_out, std::int64_t num_items,         \
                          std::int64_t num_segments, BeginOffsetIteratorT d_begin_offsets,         \
                          EndOffsetIteratorT d_end_offsets, simtStream_t stream = nullptr) {       \
    return DeviceSegmentedRadixSort::own_keys(                                                     \
        d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, num_items, num_segments,        \
        d_begin_offsets, d_end_offsets, 0, static_cast<int>(sizeof(KeyT) * 8), stream);            \
  }                                                                                                \
  template <class KeyT, class BeginOffsetIteratorT, class EndOffsetIteratorT>                      \
  static simtError_t keys(void* d_temp_storage, std::size_t& temp_storage_bytes,                   \
                          DoubleBuffer<KeyT>& d_keys, std::int64_t num_items,                      \
                          std::int64_t num_segments, BeginOffsetIteratorT d_begin_offsets,         \
                          EndOffsetIteratorT d_end_offsets, simtStream_t stream = nullptr) {       \
    return DeviceSegmentedRadixSort::own_keys(                                                     \
        d_temp_storage, temp_storage_bytes, d_keys, num_items, num_segments, d_begin_offsets,      \
        d_end_offsets, 0, static_cast<int>(sizeof(KeyT) * 8), stream);                             \
  }                                                                                                \
  template <class KeyT, class ValueT, class BeginOffsetIteratorT, class EndOffsetIteratorT>        \
  static simtError_t pairs(void* d_temp_storage, std::size_t& temp_storage_bytes,                  \
                           const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in,     \
                           ValueT* d_values_out, std::int64_t num_items,                           \
                           std::int64_t num_segments, BeginOffsetIteratorT d_begin_offsets,        \
                           EndOffsetIteratorT d_end_offsets, simtStream_t stream = nullptr) {      \
    return DeviceSegmentedRadixSort::own_pairs(                                                    \
        d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out,      \
        num_items, num_segments, d_begin_offsets, d_end_offsets, 0,                                \
        static_cast<int>(sizeof(KeyT) * 8), stream);                                               \
  }                                                                                                \
  template <class KeyT, class ValueT, class BeginOffsetIteratorT, class EndOffsetIteratorT>        \
  static simtError_t pairs(void* d_temp_storage, std::size_t& temp_storage_bytes,                  \
                           DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,             \
                           std::int64_t num_items, std::int64_t num_segments,                      \
                           BeginOffsetIteratorT d_begin_offsets,                                   \
                           EndOffsetIteratorT d_end_offsets, simtStream_t stream = nullptr) {      \
    return DeviceSegmentedRadixSort::own_pairs(                                                    \
        d_temp_storage, temp_storage_bytes, d_keys, d_values, num_items, num_segments,             \
        d_begin_offsets, d_end_offsets, 0, static_cast<int>(sizeof(KeyT) * 8), stream);            \
  }
  SIMTRT_CUB_SEGMENTED(SortKeys, SortPairs, SortKeys, SortPairs)
  SIMTRT_CUB_SEGMENTED(StableSortKeys, StableSortPairs, SortKeys, SortPairs)
  SIMTRT_CUB_SEGMENTED(SortKeysDescending, SortPairsDescending, SortKeysDescending,
                       SortPairsDescending)
  SIMTRT_CUB_SEGMENTED(StableSortKeysDescending, StableSortPairsDescending, SortKeysDescending,
                       SortPairsDescending)
#undef SIMTRT_CUB_SEGMENTED
};

CUB_NAMESPACE_END
