// cub::DeviceRadixSort: sorts numeric keys, optionally with values. Interface: CUDA 12.4,
// cub/device/device_radix_sort.cuh.
#pragma once

#include <simtrt/cub/device_radix.h>

CUB_NAMESPACE_BEGIN

/// The sorts are stable; simtrt/cub/radix.h defines the order. With a null `d_temp_storage`, each
/// function only sets temp_storage_bytes to the required size. A DoubleBuffer is sorted into its
/// alternate buffer, which then becomes current. detail::in_two_phases (simtrt/cub/device.h) lists
/// the errors.
struct DeviceRadixSort {
  template <class KeyT, class ValueT>
  static simtError_t SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes,
                               const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in,
                               ValueT* d_values_out, std::int64_t num_items, int begin_bit = 0,
                               int end_bit = sizeof(KeyT) * 8, simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in,
                d_values_out, num_items, {begin_bit, end_bit, false}, stream);
  }

  template <class KeyT, class ValueT>
  static simtError_t SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes,
                               DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,
                               std::int64_t num_items, int begin_bit = 0,
                               int end_bit = sizeof(KeyT) * 8, simtStream_t stream = nullptr) {
    return flip_and_sort(d_temp_storage, temp_storage_bytes, d_keys, &d_values, num_items,
                         {begin_bit, end_bit, false}, stream);
  }

  template <class KeyT, class ValueT>
  static simtError_t SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                         const KeyT* d_keys_in, KeyT* d_keys_out,
                                         const ValueT* d_values_in, ValueT* d_values_out,
                                         std::int64_t num_items, int begin_bit = 0,
                                         int end_bit = sizeof(KeyT) * 8,
                                         simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in,
                d_values_out, num_items, {begin_bit, end_bit, true}, stream);
  }

  template <class KeyT, class ValueT>
  static simtError_t SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                         DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values,
                                         std::int64_t num_items, int begin_bit = 0,
                                         int end_bit = sizeof(KeyT) * 8,
                                         simtStream_t stream = nullptr) {
    return flip_and_sort(d_temp_storage, temp_storage_bytes, d_keys, &d_values, num_items,
                         {begin_bit, end_bit, true}, stream);
  }

  template <class KeyT>
  static simtError_t SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes,
                              const KeyT* d_keys_in, KeyT* d_keys_out, std::int64_t num_items,
                              int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                              simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, kNone, kNone, num_items,
                {begin_bit, end_bit, false}, stream);
  }

  template <class KeyT>
  static simtError_t SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes,
                              DoubleBuffer<KeyT>& d_keys, std::int64_t num_items, int begin_bit = 0,
                              int end_bit = sizeof(KeyT) * 8, simtStream_t stream = nullptr) {
    return flip_and_sort(d_temp_storage, temp_storage_bytes, d_keys,
                         static_cast<DoubleBuffer<NullType>*>(nullptr), num_items,
                         {begin_bit, end_bit, false}, stream);
  }

  template <class KeyT>
  static simtError_t SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        const KeyT* d_keys_in, KeyT* d_keys_out,
                                        std::int64_t num_items, int begin_bit = 0,
                                        int end_bit = sizeof(KeyT) * 8,
                                        simtStream_t stream = nullptr) {
    return sort(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, kNone, kNone, num_items,
                {begin_bit, end_bit, true}, stream);
  }

  template <class KeyT>
  static simtError_t SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        DoubleBuffer<KeyT>& d_keys, std::int64_t num_items,
                                        int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                                        simtStream_t stream = nullptr) {
    return flip_and_sort(d_temp_storage, temp_storage_bytes, d_keys,
                         static_cast<DoubleBuffer<NullType>*>(nullptr), num_items,
                         {begin_bit, end_bit, true}, stream);
  }

 private:
  static constexpr NullType* kNone = nullptr;

  template <class KeyT, class ValueT>
  static simtError_t sort(void* d_temp_storage, std::size_t& temp_storage_bytes,
                          const KeyT* keys_in, KeyT* keys_out, const ValueT* values_in,
                          ValueT* values_out, std::int64_t num_items, detail::RadixOrder order,
                          simtStream_t stream) {
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceRadixSort", [=]() {
          detail::sort_range(keys_in, keys_out, values_in, values_out, 0, num_items, order);
        });
  }

  template <class KeyT, class ValueT>
  static simtError_t flip_and_sort(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   DoubleBuffer<KeyT>& keys, DoubleBuffer<ValueT>* values,
                                   std::int64_t num_items, detail::RadixOrder order,
                                   simtStream_t stream) {
    const simtError_t error =
        sort(d_temp_storage, temp_storage_bytes, static_cast<const KeyT*>(keys.Current()),
             keys.Alternate(), static_cast<const ValueT*>(values ? values->Current() : nullptr),
             values ? values->Alternate() : nullptr, num_items, order, stream);
    if (error == simtSuccess && d_temp_storage != nullptr) detail::flip(keys, values);
    return error;
  }
};

CUB_NAMESPACE_END
