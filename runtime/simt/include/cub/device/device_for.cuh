// cub::DeviceFor: a function called for each index of a range or for each item of a sequence.
// Interface: CUB 2.4 (CUDA 12.5), cub/device/device_for.cuh.
#pragma once

#include <simtrt/cub/device.h>

CUB_NAMESPACE_BEGIN

/// Each function also exists with temporary storage (simtrt/cub/device.h), which programs use to call all
/// algorithms in the same way. The order of the calls of `op` is undefined, and calls run concurrently.
struct DeviceFor {
  /// Calls op(0) to op(shape - 1) with indices of type ShapeT.
  template <class ShapeT, class OpT>
  static simtError_t Bulk(ShapeT shape, OpT op, simtStream_t stream = nullptr) {
    return simtrt::enqueue(stream, "cub::DeviceFor::Bulk", bulk(shape, op));
  }
  template <class ShapeT, class OpT>
  static simtError_t Bulk(void* d_temp_storage, std::size_t& temp_storage_bytes, ShapeT shape, OpT op,
                          simtStream_t stream = nullptr) {
    return detail::in_two_phases(d_temp_storage, temp_storage_bytes, stream, "cub::DeviceFor::Bulk",
                                 bulk(shape, op));
  }

  /// Calls op(first[i]) for `num_items` items. `op` may take a reference and change the item.
  template <class RandomAccessIteratorT, class NumItemsT, class OpT>
  static simtError_t ForEachN(RandomAccessIteratorT first, NumItemsT num_items, OpT op,
                              simtStream_t stream = nullptr) {
    return simtrt::enqueue(stream, "cub::DeviceFor::ForEachN", each(first, num_items, op));
  }
  template <class RandomAccessIteratorT, class NumItemsT, class OpT>
  static simtError_t ForEachN(void* d_temp_storage, std::size_t& temp_storage_bytes,
                              RandomAccessIteratorT first, NumItemsT num_items, OpT op,
                              simtStream_t stream = nullptr) {
    return detail::in_two_phases(d_temp_storage, temp_storage_bytes, stream,
                                 "cub::DeviceFor::ForEachN", each(first, num_items, op));
  }

  /// ForEachN for the items of [first, last).
  template <class RandomAccessIteratorT, class OpT>
  static simtError_t ForEach(RandomAccessIteratorT first, RandomAccessIteratorT last, OpT op,
                             simtStream_t stream = nullptr) {
    return simtrt::enqueue(stream, "cub::DeviceFor::ForEach", each(first, last - first, op));
  }
  template <class RandomAccessIteratorT, class OpT>
  static simtError_t ForEach(void* d_temp_storage, std::size_t& temp_storage_bytes,
                             RandomAccessIteratorT first, RandomAccessIteratorT last, OpT op,
                             simtStream_t stream = nullptr) {
    return detail::in_two_phases(d_temp_storage, temp_storage_bytes, stream,
                                 "cub::DeviceFor::ForEach", each(first, last - first, op));
  }

  /// Calls `op` with copies of `num_items` items, which `op` cannot change.
  template <class RandomAccessIteratorT, class NumItemsT, class OpT>
  static simtError_t ForEachCopyN(RandomAccessIteratorT first, NumItemsT num_items, OpT op,
                                  simtStream_t stream = nullptr) {
    return simtrt::enqueue(stream, "cub::DeviceFor::ForEachCopyN", each_copy(first, num_items, op));
  }
  template <class RandomAccessIteratorT, class NumItemsT, class OpT>
  static simtError_t ForEachCopyN(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                  RandomAccessIteratorT first, NumItemsT num_items, OpT op,
                                  simtStream_t stream = nullptr) {
    return detail::in_two_phases(d_temp_storage, temp_storage_bytes, stream,
                                 "cub::DeviceFor::ForEachCopyN", each_copy(first, num_items, op));
  }

  /// ForEachCopyN for the items of [first, last).
  template <class RandomAccessIteratorT, class OpT>
  static simtError_t ForEachCopy(RandomAccessIteratorT first, RandomAccessIteratorT last, OpT op,
                                 simtStream_t stream = nullptr) {
    return simtrt::enqueue(stream, "cub::DeviceFor::ForEachCopy", each_copy(first, last - first, op));
  }
  template <class RandomAccessIteratorT, class OpT>
  static simtError_t ForEachCopy(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                 RandomAccessIteratorT first, RandomAccessIteratorT last, OpT op,
                                 simtStream_t stream = nullptr) {
    return detail::in_two_phases(d_temp_storage, temp_storage_bytes, stream,
                                 "cub::DeviceFor::ForEachCopy", each_copy(first, last - first, op));
  }

 private:
  /// Loop that calls `op(index)`.
  template <class ShapeT, class OpT>
  static auto bulk(ShapeT shape, OpT op) {
    return [shape, op] {
      detail::for_each_chunk(static_cast<std::int64_t>(shape),
                             [&](std::size_t, std::int64_t begin, std::int64_t end) {
                               OpT call = op;
                               for (std::int64_t i = begin; i < end; ++i) {
                                 call(static_cast<ShapeT>(i));
                               }
                             });
    };
  }

  template <class Iterator, class NumItemsT, class OpT>
  static auto each(Iterator first, NumItemsT num_items, OpT op) {
    return bulk(static_cast<std::int64_t>(num_items),
                [first, op](std::int64_t i) mutable { op(first[i]); });
  }

  template <class Iterator, class NumItemsT, class OpT>
  static auto each_copy(Iterator first, NumItemsT num_items, OpT op) {
    return bulk(static_cast<std::int64_t>(num_items), [first, op](std::int64_t i) mutable {
      detail::value_t<Iterator> copy = first[i];
      op(copy);
    });
  }
};

CUB_NAMESPACE_END
