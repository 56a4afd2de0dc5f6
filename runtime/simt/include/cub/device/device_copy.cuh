// cub::DeviceCopy: copies of many ranges of items. Interface: CUDA 12.4, cub/device/device_copy.cuh.
#pragma once

#include <simtrt/cub/device.h>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, only sets temp_storage_bytes to the required size. detail::in_two_phases
/// (simtrt/cub/device.h) lists the errors.
struct DeviceCopy {
  /// Copies sizes[i] items from the iterator input_it[i] to the iterator output_it[i], for each of
  /// `num_ranges` ranges. Input and output ranges must not overlap. The iterators are read in stream order.
  template <class InputIt, class OutputIt, class SizeIteratorT>
  static simtError_t Batched(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt input_it,
                             OutputIt output_it, SizeIteratorT sizes, std::uint32_t num_ranges,
                             simtStream_t stream = nullptr) {
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceCopy::Batched", [=] {
          simtrt::parallel_for(num_ranges, 64, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) copy(input_it[i], output_it[i], sizes[i]);
          });
        });
  }

 private:
  template <class From, class To, class Count>
  static void copy(From from, To to, Count count) {
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) to[i] = from[i];
  }
};

CUB_NAMESPACE_END
