// cub::DeviceScan: prefix sums over an array. Interface: CUDA 12.4,
// cub/device/device_scan.cuh.
#pragma once

#include <simtrt/cub/device.h>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, each function only sets temp_storage_bytes to the required size.
/// The output may be the same array as the input. An initial value may be a FutureValue.
/// detail::in_two_phases (simtrt/cub/device.h) lists the errors.
struct DeviceScan {
  template <class InputIteratorT, class OutputIteratorT>
  static simtError_t ExclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                  InputIteratorT d_in, OutputIteratorT d_out,
                                  std::int64_t num_items, simtStream_t stream = nullptr) {
    return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_in, d_out, cub::Sum(),
                         detail::value_t<InputIteratorT>{}, num_items, stream);
  }
  template <class IteratorT>
  static simtError_t ExclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                  IteratorT d_data, std::int64_t num_items,
                                  simtStream_t stream = nullptr) {
    return ExclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
  }

  template <class InputIteratorT, class OutputIteratorT, class ScanOpT, class InitValueT>
  static simtError_t ExclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   InputIteratorT d_in, OutputIteratorT d_out, ScanOpT scan_op,
                                   InitValueT init_value, std::int64_t num_items,
                                   simtStream_t stream = nullptr) {
    using InitT = detail::init_value_t<InitValueT>;
    using AccumT = detail::accumulator_t<ScanOpT, InitT, detail::value_t<InputIteratorT>>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceScan", [=]() mutable {
          const AccumT init = static_cast<AccumT>(static_cast<InitT>(init_value));
          detail::scan<false>(d_in, d_out, num_items, scan_op, std::optional<AccumT>(init));
        });
  }
  template <class IteratorT, class ScanOpT, class InitValueT>
  static simtError_t ExclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   IteratorT d_data, ScanOpT scan_op, InitValueT init_value,
                                   std::int64_t num_items, simtStream_t stream = nullptr) {
    return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, init_value,
                         num_items, stream);
  }

  template <class InputIteratorT, class OutputIteratorT>
  static simtError_t InclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                  InputIteratorT d_in, OutputIteratorT d_out,
                                  std::int64_t num_items, simtStream_t stream = nullptr) {
    return InclusiveScan(d_temp_storage, temp_storage_bytes, d_in, d_out, cub::Sum(), num_items,
                         stream);
  }
  template <class IteratorT>
  static simtError_t InclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                  IteratorT d_data, std::int64_t num_items,
                                  simtStream_t stream = nullptr) {
    return InclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
  }

  template <class InputIteratorT, class OutputIteratorT, class ScanOpT>
  static simtError_t InclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   InputIteratorT d_in, OutputIteratorT d_out, ScanOpT scan_op,
                                   std::int64_t num_items, simtStream_t stream = nullptr) {
    using InputT = detail::value_t<InputIteratorT>;
    using AccumT = detail::accumulator_t<ScanOpT, InputT, InputT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceScan", [=]() mutable {
          detail::scan<true>(d_in, d_out, num_items, scan_op, std::optional<AccumT>());
        });
  }
  template <class IteratorT, class ScanOpT>
  static simtError_t InclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   IteratorT d_data, ScanOpT scan_op, std::int64_t num_items,
                                   simtStream_t stream = nullptr) {
    return InclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, num_items,
                         stream);
  }

  // The functions ...ByKey compute a separate scan for each run of equal keys. The output must not
  // be the array of the keys.
  template <class KeysInputIteratorT, class ValuesInputIteratorT, class ValuesOutputIteratorT,
            class EqualityOpT = Equality>
  static simtError_t ExclusiveSumByKey(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                       KeysInputIteratorT d_keys_in,
                                       ValuesInputIteratorT d_values_in,
                                       ValuesOutputIteratorT d_values_out, std::int64_t num_items,
                                       EqualityOpT equality_op = EqualityOpT(),
                                       simtStream_t stream = nullptr) {
    return ExclusiveScanByKey(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                              d_values_out, cub::Sum(), detail::value_t<ValuesInputIteratorT>{},
                              num_items, equality_op, stream);
  }

  template <class KeysInputIteratorT, class ValuesInputIteratorT, class ValuesOutputIteratorT,
            class ScanOpT, class InitValueT, class EqualityOpT = Equality>
  static simtError_t ExclusiveScanByKey(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        KeysInputIteratorT d_keys_in,
                                        ValuesInputIteratorT d_values_in,
                                        ValuesOutputIteratorT d_values_out, ScanOpT scan_op,
                                        InitValueT init_value, std::int64_t num_items,
                                        EqualityOpT equality_op = EqualityOpT(),
                                        simtStream_t stream = nullptr) {
    using ValueT = detail::value_t<ValuesInputIteratorT>;
    using InitT = detail::init_value_t<InitValueT>;
    using AccumT = detail::accumulator_t<ScanOpT, InitT, ValueT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceScan", [=]() mutable {
          const AccumT init = static_cast<AccumT>(static_cast<InitT>(init_value));
          for_each_run(d_keys_in, num_items, equality_op,
                       [&](std::int64_t begin, std::int64_t end) {
                         AccumT running = init;
                         for (std::int64_t i = begin; i < end; ++i) {
                           const ValueT value = d_values_in[i];
                           d_values_out[i] = running;
                           running = static_cast<AccumT>(scan_op(running, value));
                         }
                       });
        });
  }

  template <class KeysInputIteratorT, class ValuesInputIteratorT, class ValuesOutputIteratorT,
            class EqualityOpT = Equality>
  static simtError_t InclusiveSumByKey(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                       KeysInputIteratorT d_keys_in,
                                       ValuesInputIteratorT d_values_in,
                                       ValuesOutputIteratorT d_values_out, std::int64_t num_items,
                                       EqualityOpT equality_op = EqualityOpT(),
                                       simtStream_t stream = nullptr) {
    return InclusiveScanByKey(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                              d_values_out, cub::Sum(), num_items, equality_op, stream);
  }

  template <class KeysInputIteratorT, class ValuesInputIteratorT, class ValuesOutputIteratorT,
            class ScanOpT, class EqualityOpT = Equality>
  static simtError_t InclusiveScanByKey(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        KeysInputIteratorT d_keys_in,
                                        ValuesInputIteratorT d_values_in,
                                        ValuesOutputIteratorT d_values_out, ScanOpT scan_op,
                                        std::int64_t num_items,
                                        EqualityOpT equality_op = EqualityOpT(),
                                        simtStream_t stream = nullptr) {
    using ValueT = detail::value_t<ValuesInputIteratorT>;
    using AccumT = detail::accumulator_t<ScanOpT, ValueT, ValueT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceScan", [=]() mutable {
          for_each_run(
              d_keys_in, num_items, equality_op, [&](std::int64_t begin, std::int64_t end) {
                AccumT running = static_cast<AccumT>(static_cast<ValueT>(d_values_in[begin]));
                d_values_out[begin] = running;
                for (std::int64_t i = begin + 1; i < end; ++i) {
                  running =
                      static_cast<AccumT>(scan_op(running, static_cast<ValueT>(d_values_in[i])));
                  d_values_out[i] = running;
                }
              });
        });
  }

 private:
  /// Calls `body(begin, end)` for each run of adjacent equal keys.
  template <class Keys, class EqualityOpT, class Body>
  static void for_each_run(Keys keys, std::int64_t count, EqualityOpT& equal, Body body) {
    using KeyT = detail::value_t<Keys>;
    for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
      KeyT last = keys[begin];
      for (end = begin + 1; end < count; ++end) {
        KeyT next = keys[end];
        if (!equal(last, next)) break;
        last = next;
      }
      body(begin, end);
    }
  }
};

CUB_NAMESPACE_END
