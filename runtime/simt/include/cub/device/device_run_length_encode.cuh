// cub::DeviceRunLengthEncode: runs of equal items of an array. Interface: CUDA 12.4,
// cub/device/device_run_length_encode.cuh.
#pragma once

#include <simtrt/cub/device.h>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, each function only sets temp_storage_bytes to the required size.
/// detail::in_two_phases (simtrt/cub/device.h) lists the errors.
struct DeviceRunLengthEncode {
  /// Writes the item and the length of each run.
  template <class InputIteratorT, class UniqueOutputIteratorT, class LengthsOutputIteratorT,
            class NumRunsOutputIteratorT>
  static simtError_t Encode(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            InputIteratorT d_in, UniqueOutputIteratorT d_unique_out,
                            LengthsOutputIteratorT d_counts_out,
                            NumRunsOutputIteratorT d_num_runs_out, std::int64_t num_items,
                            simtStream_t stream = nullptr) {
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceRunLengthEncode", [=]() mutable {
          std::int64_t runs = 0;
          for (std::int64_t begin = 0, end = 0; begin < num_items; begin = end, ++runs) {
            end = run_end(d_in, begin, num_items);
            d_unique_out[runs] = d_in[begin];
            d_counts_out[runs] = end - begin;
          }
          *d_num_runs_out = runs;
        });
  }

  /// Writes the offset and the length of each run of at least two items.
  template <class InputIteratorT, class OffsetsOutputIteratorT, class LengthsOutputIteratorT,
            class NumRunsOutputIteratorT>
  static simtError_t NonTrivialRuns(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                    InputIteratorT d_in, OffsetsOutputIteratorT d_offsets_out,
                                    LengthsOutputIteratorT d_lengths_out,
                                    NumRunsOutputIteratorT d_num_runs_out, std::int64_t num_items,
                                    simtStream_t stream = nullptr) {
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceRunLengthEncode", [=]() mutable {
          std::int64_t runs = 0;
          for (std::int64_t begin = 0, end = 0; begin < num_items; begin = end) {
            end = run_end(d_in, begin, num_items);
            if (end - begin < 2) continue;
            d_offsets_out[runs] = begin;
            d_lengths_out[runs] = end - begin;
            ++runs;
          }
          *d_num_runs_out = runs;
        });
  }

 private:
  template <class Iterator>
  static std::int64_t run_end(Iterator items, std::int64_t begin, std::int64_t count) {
    using ItemT = detail::value_t<Iterator>;
    std::int64_t end = begin + 1;
    while (end < count &&
           Equality()(static_cast<ItemT>(items[end - 1]), static_cast<ItemT>(items[end]))) {
      ++end;
    }
    return end;
  }
};

CUB_NAMESPACE_END
