// cub::DeviceSegmentedRadixSort: sorts the segments of an array by numeric keys. Interface: CUDA
// 12.4, cub/device/device_segmented_radix_sort.cuh.
#pragma once

#include <simtrt/cub/device_radix.h>

CUB_NAMESPACE_BEGIN

/// Segment i is [d_begin_offsets[i], d_end_offsets[i]); items outside of all segments are not
/// written. In all other respects, the functions are like those of DeviceRadixSort.
struct DeviceSegmentedRadixSort {
  template <class KeyT, class ValueT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes,
                               const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in,
                               ValueT* d_values_out, std::int64_t num_items,
                               std::int64_t num_segments, BeginOffsetIteratorT d_begin_offsets,
                               EndOffsetIteratorT d_end_offsets, int begin_bit = 0,
                               int end_bit = sizeof(KeyT) * 8, simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in,
                d_values_out, num_items, num_segments, d_begin_offsets, d_end_offsets,
                {begin_bit, end_bit, false}, stream);
  }

  template <class KeyT, class ValueT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes,
                               DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,
                               std::int64_t num_items, std::int64_t num_segments,
                               BeginOffsetIteratorT d_begin_offsets,
                               EndOffsetIteratorT d_end_offsets, int begin_bit = 0,
                               int end_bit = sizeof(KeyT) * 8, simtStream_t stream = nullptr) {
    return flip_and_sort(d_temp_storage, temp_storage_bytes, d_keys, &d_values, num_items,
                         num_segments, d_begin_offsets, d_end_offsets, {begin_bit, end_bit, false},
                         stream);
  }

  template <class KeyT, class ValueT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                         const KeyT* d_keys_in, KeyT* d_keys_out,
                                         const ValueT* d_values_in, ValueT* d_values_out,
                                         std::int64_t num_items, std::int64_t num_segments,
                                         BeginOffsetIteratorT d_begin_offsets,
                                         EndOffsetIteratorT d_end_offsets, int begin_bit = 0,
                                         int end_bit = sizeof(KeyT) * 8,
                                         simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in,
                d_values_out, num_items, num_segments, d_begin_offsets, d_end_offsets,
                {begin_bit, end_bit, true}, stream);
  }

  template <class KeyT, class ValueT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                         DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,
                                         std::int64_t num_items, std::int64_t num_segments,
                                         BeginOffsetIteratorT d_begin_offsets,
                                         EndOffsetIteratorT d_end_offsets, int begin_bit = 0,
                                         int end_bit = sizeof(KeyT) * 8,
                                         simtStream_t stream = nullptr) {
    return flip_and_sort(d_temp_storage, temp_storage_bytes, d_keys, &d_values, num_items,
                         num_segments, d_begin_offsets, d_end_offsets, {begin_bit, end_bit, true},
                         stream);
  }

  template <class KeyT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes,
                              const KeyT* d_keys_in, KeyT* d_keys_out, std::int64_t num_items,
                              std::int64_t num_segments, BeginOffsetIteratorT d_begin_offsets,
                              EndOffsetIteratorT d_end_offsets, int begin_bit = 0,
                              int end_bit = sizeof(KeyT) * 8, simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, kNone, kNone, num_items,
                num_segments, d_begin_offsets, d_end_offsets, {begin_bit, end_bit, false}, stream);
  }

  template <class KeyT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes,
                              DoubleBuffer<KeyT>& d_keys, std::int64_t num_items,
                              std::int64_t num_segments, BeginOffsetIteratorT d_begin_offsets,
                              EndOffsetIteratorT d_end_offsets, int begin_bit = 0,
                              int end_bit = sizeof(KeyT) * 8, simtStream_t stream = nullptr) {
    return flip_and_sort(d_temp_storage, temp_storage_bytes, d_keys,
                         static_cast<DoubleBuffer<NullType>*>(nullptr), num_items, num_segments,
                         d_begin_offsets, d_end_offsets, {begin_bit, end_bit, false}, stream);
  }

  template <class KeyT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        const KeyT* d_keys_in, KeyT* d_keys_out,
                                        std::int64_t num_items, std::int64_t num_segments,
                                        BeginOffsetIteratorT d_begin_offsets,
                                        EndOffsetIteratorT d_end_offsets, int begin_bit = 0,
                                        int end_bit = sizeof(KeyT) * 8,
                                        simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, kNone, kNone, num_items,
                num_segments, d_begin_offsets, d_end_offsets, {begin_bit, end_bit, true}, stream);
  }

  template <class KeyT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        DoubleBuffer<KeyT>& d_keys, std::int64_t num_items,
                                        std::int64_t num_segments,
                                        BeginOffsetIteratorT d_begin_offsets,
                                        EndOffsetIteratorT d_end_offsets, int begin_bit = 0,
                                        int end_bit = sizeof(KeyT) * 8,
                                        simtStream_t stream = nullptr) {
    return flip_and_sort(d_temp_storage, temp_storage_bytes, d_keys,
                         static_cast<DoubleBuffer<NullType>*>(nullptr), num_items, num_segments,
                         d_begin_offsets, d_end_offsets, {begin_bit, end_bit, true}, stream);
  }

 private:
  static constexpr NullType* kNone = nullptr;

  template <class KeyT, class ValueT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t sort(void* d_temp_storage, std::size_t& temp_storage_bytes,
                          const KeyT* keys_in, KeyT* keys_out, const ValueT* values_in,
                          ValueT* values_out, std::int64_t /*num_items*/, std::int64_t num_segments,
                          BeginOffsetIteratorT begins, EndOffsetIteratorT ends,
                          detail::RadixOrder order, simtStream_t stream) {
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceSegmentedRadixSort", [=]() {
          simtrt::parallel_for(static_cast<std::size_t>(num_segments), 1,
                               [&](std::size_t first, std::size_t last) {
                                 BeginOffsetIteratorT begin = begins;
                                 EndOffsetIteratorT end = ends;
                                 for (std::size_t i = first; i < last; ++i) {
                                   detail::sort_range(keys_in, keys_out, values_in, values_out,
                                                      static_cast<std::int64_t>(begin[i]),
                                                      static_cast<std::int64_t>(end[i]), order);
                                 }
                               });
        });
  }

  template <class KeyT, class ValueT, class BeginOffsetIteratorT, class EndOffsetIteratorT>
  static simtError_t flip_and_sort(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   DoubleBuffer<KeyT>& keys, DoubleBuffer<ValueT>* values,
                                   std::int64_t num_items, std::int64_t num_segments,
                                   BeginOffsetIteratorT begins, EndOffsetIteratorT ends,
                                   detail::RadixOrder order, simtStream_t stream) {
    const simtError_t error =
        sort(d_temp_storage, temp_storage_bytes, static_cast<const KeyT*>(keys.Current()),
             keys.Alternate(), static_cast<const ValueT*>(values ? values->Current() : nullptr),
             values ? values->Alternate() : nullptr, num_items, num_segments, begins, ends, order,
             stream);
    if (error == simtSuccess && d_temp_storage != nullptr) detail::flip(keys, values);
    return error;
  }
};

CUB_NAMESPACE_END
