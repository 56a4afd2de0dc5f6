// cub::DeviceSelect: copies selected items of an array to a contiguous output. Interface: CUDA
// 12.4, cub/device/device_select.cuh.
#pragma once

#include <simtrt/cub/device.h>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, each function only sets temp_storage_bytes to the required size.
/// Selected items keep their order; `d_num_selected_out` receives their number.
/// detail::in_two_phases (simtrt/cub/device.h) lists the errors.
struct DeviceSelect {
  /// Selects items whose flag is true.
  template <class InputIteratorT, class FlagIterator, class OutputIteratorT,
            class NumSelectedIteratorT>
  static simtError_t Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes,
                             InputIteratorT d_in, FlagIterator d_flags, OutputIteratorT d_out,
                             NumSelectedIteratorT d_num_selected_out, std::int64_t num_items,
                             simtStream_t stream = nullptr) {
    return detail::in_two_phases(d_temp_storage, temp_storage_bytes, stream, "cub::DeviceSelect",
                                 [=]() mutable {
                                   std::int64_t selected = 0;
                                   for (std::int64_t i = 0; i < num_items; ++i) {
                                     if (d_flags[i]) d_out[selected++] = d_in[i];
                                   }
                                   *d_num_selected_out = selected;
                                 });
  }
  template <class IteratorT, class FlagIterator, class NumSelectedIteratorT>
  static simtError_t Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes,
                             IteratorT d_data, FlagIterator d_flags,
                             NumSelectedIteratorT d_num_selected_out, std::int64_t num_items,
                             simtStream_t stream = nullptr) {
    return Flagged(d_temp_storage, temp_storage_bytes, d_data, d_flags, d_data, d_num_selected_out,
                   num_items, stream);
  }

  /// Selects items for which `select_op` is true.
  template <class InputIteratorT, class OutputIteratorT, class NumSelectedIteratorT, class SelectOp>
  static simtError_t If(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                        OutputIteratorT d_out, NumSelectedIteratorT d_num_selected_out,
                        std::int64_t num_items, SelectOp select_op, simtStream_t stream = nullptr) {
    using ItemT = detail::value_t<InputIteratorT>;
    return detail::in_two_phases(d_temp_storage, temp_storage_bytes, stream, "cub::DeviceSelect",
                                 [=]() mutable {
                                   std::int64_t selected = 0;
                                   for (std::int64_t i = 0; i < num_items; ++i) {
                                     const ItemT item = d_in[i];
                                     if (select_op(item)) d_out[selected++] = item;
                                   }
                                   *d_num_selected_out = selected;
                                 });
  }
  template <class IteratorT, class NumSelectedIteratorT, class SelectOp>
  static simtError_t If(void* d_temp_storage, std::size_t& temp_storage_bytes, IteratorT d_data,
                        NumSelectedIteratorT d_num_selected_out, std::int64_t num_items,
                        SelectOp select_op, simtStream_t stream = nullptr) {
    return If(d_temp_storage, temp_storage_bytes, d_data, d_data, d_num_selected_out, num_items,
              select_op, stream);
  }

  /// Selects the first item of each run of equal items.
  template <class InputIteratorT, class OutputIteratorT, class NumSelectedIteratorT>
  static simtError_t Unique(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            InputIteratorT d_in, OutputIteratorT d_out,
                            NumSelectedIteratorT d_num_selected_out, std::int64_t num_items,
                            simtStream_t stream = nullptr) {
    using ItemT = detail::value_t<InputIteratorT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceSelect", [=]() mutable {
          *d_num_selected_out = each_run<ItemT>(
              d_in, num_items,
              [&](std::int64_t run, std::int64_t, const ItemT& item) { d_out[run] = item; });
        });
  }

  /// Selects the first key of each run of equal keys, with its value.
  template <class KeyInputIteratorT, class ValueInputIteratorT, class KeyOutputIteratorT,
            class ValueOutputIteratorT, class NumSelectedIteratorT>
  static simtError_t UniqueByKey(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                 KeyInputIteratorT d_keys_in, ValueInputIteratorT d_values_in,
                                 KeyOutputIteratorT d_keys_out, ValueOutputIteratorT d_values_out,
                                 NumSelectedIteratorT d_num_selected_out, std::int64_t num_items,
                                 simtStream_t stream = nullptr) {
    using KeyT = detail::value_t<KeyInputIteratorT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceSelect", [=]() mutable {
          *d_num_selected_out = each_run<KeyT>(
              d_keys_in, num_items, [&](std::int64_t run, std::int64_t i, const KeyT& key) {
                d_keys_out[run] = key;
                d_values_out[run] = d_values_in[i];
              });
        });
  }

 private:
  /// Calls `visit(run, index, item)` for the first item of each run; returns the number of runs.
  template <class ItemT, class Iterator, class Visit>
  static std::int64_t each_run(Iterator items, std::int64_t count, Visit visit) {
    std::int64_t runs = 0;
    std::optional<ItemT> last;
    for (std::int64_t i = 0; i < count; ++i) {
      const ItemT item = items[i];
      if (!last.has_value() || !Equality()(*last, item)) visit(runs++, i, item);
      last.emplace(item);
    }
    return runs;
  }
};

CUB_NAMESPACE_END
