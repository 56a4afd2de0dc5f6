// cub::DevicePartition: selected items at the beginning of an array, the others behind them in reverse
// order. Interface: CUDA 12.4, cub/device/device_partition.cuh.
#pragma once

#include <simtrt/cub/device.h>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, each function only sets temp_storage_bytes to the required size.
/// `d_num_selected_out` receives the number of selected items. detail::in_two_phases (simtrt/cub/device.h)
/// lists the errors.
struct DevicePartition {
  /// Selects items whose flag is true.
  template <class InputIteratorT, class FlagIterator, class OutputIteratorT, class NumSelectedIteratorT>
  static simtError_t Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes,
                             InputIteratorT d_in, FlagIterator d_flags, OutputIteratorT d_out,
                             NumSelectedIteratorT d_num_selected_out, std::int64_t num_items,
                             simtStream_t stream = nullptr) {
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DevicePartition", [=]() mutable {
          *d_num_selected_out = split(d_in, d_out, num_items,
                                      [&](std::int64_t i) { return static_cast<bool>(d_flags[i]); });
        });
  }

  /// Selects items for which `select_op` is true.
  template <class InputIteratorT, class OutputIteratorT, class NumSelectedIteratorT, class SelectOp>
  static simtError_t If(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                        OutputIteratorT d_out, NumSelectedIteratorT d_num_selected_out,
                        std::int64_t num_items, SelectOp select_op, simtStream_t stream = nullptr) {
    using ItemT = detail::value_t<InputIteratorT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DevicePartition", [=]() mutable {
          *d_num_selected_out = split(d_in, d_out, num_items, [&](std::int64_t i) {
            return static_cast<bool>(select_op(static_cast<ItemT>(d_in[i])));
          });
        });
  }

  /// Three parts, each in its own array and in order. `d_num_selected_out` receives the sizes of two of them.
  template <class InputIteratorT, class FirstOutputIteratorT, class SecondOutputIteratorT,
            class UnselectedOutputIteratorT, class NumSelectedIteratorT, class SelectFirstPartOp,
            class SelectSecondPartOp>
  static simtError_t If(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                        FirstOutputIteratorT d_first_part_out,
                        SecondOutputIteratorT d_second_part_out,
                        UnselectedOutputIteratorT d_unselected_out,
                        NumSelectedIteratorT d_num_selected_out, std::int64_t num_items,
                        SelectFirstPartOp select_first_part_op,
                        SelectSecondPartOp select_second_part_op, simtStream_t stream = nullptr) {
    using ItemT = detail::value_t<InputIteratorT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DevicePartition", [=]() mutable {
          std::int64_t first = 0, second = 0, rest = 0;
          for (std::int64_t i = 0; i < num_items; ++i) {
            const ItemT item = d_in[i];
            if (select_first_part_op(item)) {
              d_first_part_out[first++] = item;
            } else if (select_second_part_op(item)) {
              d_second_part_out[second++] = item;
            } else {
              d_unselected_out[rest++] = item;
            }
          }
          d_num_selected_out[0] = first;
          d_num_selected_out[1] = second;
        });
  }

 private:
  template <class In, class Out, class Select>
  static std::int64_t split(In in, Out out, std::int64_t count, Select is_selected) {
    using ItemT = detail::value_t<In>;
    std::int64_t selected = 0, end = count;
    for (std::int64_t i = 0; i < count; ++i) {
      const ItemT item = in[i];
      out[is_selected(i) ? selected++ : --end] = item;
    }
    return selected;
  }
};

CUB_NAMESPACE_END
