// cub::DeviceAdjacentDifference: differences of neighbouring items. Interface: CUDA 12.4,
// cub/device/device_adjacent_difference.cuh.
#pragma once

#include <simtrt/cub/device.h>

#include <functional>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, each function only sets temp_storage_bytes to the required size.
/// detail::in_two_phases (simtrt/cub/device.h) lists the errors.
struct DeviceAdjacentDifference {
  /// Item i becomes difference_op(item i, item i - 1); the first item is copied.
  template <class InputIteratorT, class OutputIteratorT, class DifferenceOpT = std::minus<>,
            class NumItemsT = std::int64_t>
  static simtError_t SubtractLeftCopy(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                      InputIteratorT d_input, OutputIteratorT d_output,
                                      NumItemsT num_items, DifferenceOpT difference_op = {},
                                      simtStream_t stream = nullptr) {
    using ItemT = detail::value_t<InputIteratorT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceAdjacentDifference", [=]() mutable {
          std::optional<ItemT> left;
          for (std::int64_t i = 0; i < static_cast<std::int64_t>(num_items); ++i) {
            const ItemT item = d_input[i];
            if (left.has_value()) {
              d_output[i] = difference_op(item, *left);
            } else {
              d_output[i] = item;
            }
            left.emplace(item);
          }
        });
  }
  template <class RandomAccessIteratorT, class DifferenceOpT = std::minus<>,
            class NumItemsT = std::int64_t>
  static simtError_t SubtractLeft(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                  RandomAccessIteratorT d_input, NumItemsT num_items,
                                  DifferenceOpT difference_op = {}, simtStream_t stream = nullptr) {
    return SubtractLeftCopy(d_temp_storage, temp_storage_bytes, d_input, d_input, num_items,
                            difference_op, stream);
  }

  /// Item i becomes difference_op(item i, item i + 1); the last item is copied.
  template <class InputIteratorT, class OutputIteratorT, class DifferenceOpT = std::minus<>,
            class NumItemsT = std::int64_t>
  static simtError_t SubtractRightCopy(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                       InputIteratorT d_input, OutputIteratorT d_output,
                                       NumItemsT num_items, DifferenceOpT difference_op = {},
                                       simtStream_t stream = nullptr) {
    using ItemT = detail::value_t<InputIteratorT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceAdjacentDifference", [=]() mutable {
          const auto count = static_cast<std::int64_t>(num_items);
          for (std::int64_t i = 0; i < count; ++i) {
            const ItemT item = d_input[i];
            if (i + 1 < count) {
              const ItemT right = d_input[i + 1];
              d_output[i] = difference_op(item, right);
            } else {
              d_output[i] = item;
            }
          }
        });
  }
  template <class RandomAccessIteratorT, class DifferenceOpT = std::minus<>,
            class NumItemsT = std::int64_t>
  static simtError_t SubtractRight(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   RandomAccessIteratorT d_input, NumItemsT num_items,
                                   DifferenceOpT difference_op = {},
                                   simtStream_t stream = nullptr) {
    return SubtractRightCopy(d_temp_storage, temp_storage_bytes, d_input, d_input, num_items,
                             difference_op, stream);
  }
};

CUB_NAMESPACE_END
