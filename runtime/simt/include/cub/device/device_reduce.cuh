// cub::DeviceReduce: reduction of all items of an array. Interface: CUDA 12.4,
// cub/device/device_reduce.cuh.
#pragma once

#include <cub/iterator/arg_index_input_iterator.cuh>
#include <simtrt/cub/device.h>
#include <simtrt/cub/traits.h>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, each function only sets temp_storage_bytes to the required size.
/// detail::in_two_phases (simtrt/cub/device.h) lists the errors.
struct DeviceReduce {
  template <class InputIteratorT, class OutputIteratorT, class ReductionOpT, class T>
  static simtError_t Reduce(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            InputIteratorT d_in, OutputIteratorT d_out, std::int64_t num_items,
                            ReductionOpT reduction_op, T init, simtStream_t stream = nullptr) {
    using InitT = detail::init_value_t<T>;
    using AccumT = detail::accumulator_t<ReductionOpT, InitT, detail::value_t<InputIteratorT>>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceReduce", [=]() mutable {
          *d_out = detail::reduce(d_in, num_items, reduction_op,
                                  static_cast<AccumT>(static_cast<InitT>(init)));
        });
  }

  template <class InputIteratorT, class OutputIteratorT>
  static simtError_t Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                         OutputIteratorT d_out, std::int64_t num_items,
                         simtStream_t stream = nullptr) {
    using OutputT = detail::non_void_value_t<OutputIteratorT, detail::value_t<InputIteratorT>>;
    return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Sum(), OutputT{},
                  stream);
  }

  /// For an empty array, the result is the largest value of the element type.
  template <class InputIteratorT, class OutputIteratorT>
  static simtError_t Min(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                         OutputIteratorT d_out, std::int64_t num_items,
                         simtStream_t stream = nullptr) {
    using InputT = detail::value_t<InputIteratorT>;
    return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Min(),
                  Traits<InputT>::Max(), stream);
  }

  /// For an empty array, the result is the lowest value of the element type.
  template <class InputIteratorT, class OutputIteratorT>
  static simtError_t Max(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                         OutputIteratorT d_out, std::int64_t num_items,
                         simtStream_t stream = nullptr) {
    using InputT = detail::value_t<InputIteratorT>;
    return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Max(),
                  Traits<InputT>::Lowest(), stream);
  }

  /// Index and value of the first smallest item, as a KeyValuePair. For an empty array: index 1 and
  /// the largest value of the element type, as in CUB.
  template <class InputIteratorT, class OutputIteratorT>
  static simtError_t ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            InputIteratorT d_in, OutputIteratorT d_out, int num_items,
                            simtStream_t stream = nullptr) {
    return arg(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::ArgMin(),
               Traits<detail::value_t<InputIteratorT>>::Max(), stream);
  }

  /// Index and value of the first largest item, as a KeyValuePair. For an empty array: index 1 and
  /// the lowest value of the element type, as in CUB.
  template <class InputIteratorT, class OutputIteratorT>
  static simtError_t ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            InputIteratorT d_in, OutputIteratorT d_out, int num_items,
                            simtStream_t stream = nullptr) {
    return arg(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::ArgMax(),
               Traits<detail::value_t<InputIteratorT>>::Lowest(), stream);
  }

  /// For each run of equal keys: the key and the reduction of its values. `d_num_runs_out` receives
  /// the number of runs.
  template <class KeysInputIteratorT, class UniqueOutputIteratorT, class ValuesInputIteratorT,
            class AggregatesOutputIteratorT, class NumRunsOutputIteratorT, class ReductionOpT>
  static simtError_t ReduceByKey(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                 KeysInputIteratorT d_keys_in, UniqueOutputIteratorT d_unique_out,
                                 ValuesInputIteratorT d_values_in,
                                 AggregatesOutputIteratorT d_aggregates_out,
                                 NumRunsOutputIteratorT d_num_runs_out, ReductionOpT reduction_op,
                                 std::int64_t num_items, simtStream_t stream = nullptr) {
    using KeyT = detail::value_t<KeysInputIteratorT>;
    using ValueT = detail::value_t<ValuesInputIteratorT>;
    using AccumT = detail::accumulator_t<ReductionOpT, ValueT, ValueT>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceReduce::ReduceByKey",
        [=]() mutable {
          std::int64_t runs = 0;
          for (std::int64_t i = 0; i < num_items; ++runs) {
            const KeyT key = d_keys_in[i];
            const std::int64_t begin = i;
            do ++i;
            while (i < num_items && Equality()(key, static_cast<KeyT>(d_keys_in[i])));
            d_aggregates_out[runs] =
                detail::fold(d_values_in, begin + 1, i, reduction_op,
                             static_cast<AccumT>(static_cast<ValueT>(d_values_in[begin])));
            d_unique_out[runs] = key;
          }
          *d_num_runs_out = runs;
        });
  }

 private:
  template <class InputIteratorT, class OutputIteratorT, class ArgOp, class Extreme>
  static simtError_t arg(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                         OutputIteratorT d_out, int num_items, ArgOp op, Extreme extreme,
                         simtStream_t stream) {
    using Pairs = ArgIndexInputIterator<InputIteratorT, int>;
    using Pair = detail::value_t<Pairs>;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceReduce", [=]() mutable {
          const Pairs pairs(d_in);
          *d_out = num_items == 0 ? Pair(1, extreme)
                                  : detail::reduce(pairs + 1, num_items - 1, op, Pair(pairs[0]));
        });
  }
};

CUB_NAMESPACE_END
