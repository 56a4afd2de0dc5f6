// cub::DeviceSegmentedReduce: one reduction for each segment of an array. Interface: CUDA 12.4,
// cub/device/device_segmented_reduce.cuh.
#pragma once

#include <cub/iterator/arg_index_input_iterator.cuh>
#include <simtrt/cub/device.h>
#include <simtrt/cub/traits.h>

CUB_NAMESPACE_BEGIN

/// Segment i is [d_begin_offsets[i], d_end_offsets[i]); it may be empty. With a null
/// `d_temp_storage`, each function only sets temp_storage_bytes to the required size.
/// detail::in_two_phases (simtrt/cub/device.h) lists the errors.
struct DeviceSegmentedReduce {
  template <class InputIteratorT, class OutputIteratorT, class BeginOffsetIteratorT,
            class EndOffsetIteratorT, class ReductionOpT, class T>
  static simtError_t Reduce(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            InputIteratorT d_in, OutputIteratorT d_out, std::int64_t num_segments,
                            BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets,
                            ReductionOpT reduction_op, T initial_value,
                            simtStream_t stream = nullptr) {
    using AccumT = detail::accumulator_t<ReductionOpT, T, detail::value_t<InputIteratorT>>;
    return for_segments(
        d_temp_storage, temp_storage_bytes, num_segments, d_begin_offsets, d_end_offsets, stream,
        [=](std::int64_t segment, std::int64_t begin, std::int64_t end) {
          ReductionOpT op = reduction_op;
          OutputIteratorT out = d_out;
          out[segment] = detail::fold(d_in, begin, end, op, static_cast<AccumT>(initial_value));
        });
  }

  template <class InputIteratorT, class OutputIteratorT, class BeginOffsetIteratorT,
            class EndOffsetIteratorT>
  static simtError_t Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                         OutputIteratorT d_out, std::int64_t num_segments,
                         BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets,
                         simtStream_t stream = nullptr) {
    using OutputT = detail::non_void_value_t<OutputIteratorT, detail::value_t<InputIteratorT>>;
    return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets,
                  d_end_offsets, cub::Sum(), OutputT{}, stream);
  }

  template <class InputIteratorT, class OutputIteratorT, class BeginOffsetIteratorT,
            class EndOffsetIteratorT>
  static simtError_t Min(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                         OutputIteratorT d_out, std::int64_t num_segments,
                         BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets,
                         simtStream_t stream = nullptr) {
    return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets,
                  d_end_offsets, cub::Min(), Traits<detail::value_t<InputIteratorT>>::Max(),
                  stream);
  }

  template <class InputIteratorT, class OutputIteratorT, class BeginOffsetIteratorT,
            class EndOffsetIteratorT>
  static simtError_t Max(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                         OutputIteratorT d_out, std::int64_t num_segments,
                         BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets,
                         simtStream_t stream = nullptr) {
    return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets,
                  d_end_offsets, cub::Max(), Traits<detail::value_t<InputIteratorT>>::Lowest(),
                  stream);
  }

  /// Value of the first smallest item of each segment, and its index in the segment. For an empty
  /// segment: index 1 and the largest value of the element type, as in CUB.
  template <class InputIteratorT, class OutputIteratorT, class BeginOffsetIteratorT,
            class EndOffsetIteratorT>
  static simtError_t ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            InputIteratorT d_in, OutputIteratorT d_out, std::int64_t num_segments,
                            BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets,
                            simtStream_t stream = nullptr) {
    return arg(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets,
               d_end_offsets, cub::ArgMin(), Traits<detail::value_t<InputIteratorT>>::Max(),
               stream);
  }

  /// Value of the first largest item of each segment, and its index in the segment. For an empty
  /// segment: index 1 and the lowest value of the element type, as in CUB.
  template <class InputIteratorT, class OutputIteratorT, class BeginOffsetIteratorT,
            class EndOffsetIteratorT>
  static simtError_t ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            InputIteratorT d_in, OutputIteratorT d_out, std::int64_t num_segments,
                            BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets,
                            simtStream_t stream = nullptr) {
    return arg(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets,
               d_end_offsets, cub::ArgMax(), Traits<detail::value_t<InputIteratorT>>::Lowest(),
               stream);
  }

 private:
  template <class InputIteratorT, class OutputIteratorT, class BeginOffsetIteratorT,
            class EndOffsetIteratorT, class ArgOp, class Extreme>
  static simtError_t arg(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIteratorT d_in,
                         OutputIteratorT d_out, std::int64_t num_segments,
                         BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets,
                         ArgOp arg_op, Extreme extreme, simtStream_t stream) {
    using Pairs = ArgIndexInputIterator<InputIteratorT, int>;
    using Pair = detail::value_t<Pairs>;
    return for_segments(
        d_temp_storage, temp_storage_bytes, num_segments, d_begin_offsets, d_end_offsets, stream,
        [=](std::int64_t segment, std::int64_t begin, std::int64_t end) {
          ArgOp op = arg_op;
          OutputIteratorT out = d_out;
          const Pairs pairs(d_in + begin);
          out[segment] = begin >= end ? Pair(1, extreme)
                                      : detail::fold(pairs, 1, end - begin, op, Pair(pairs[0]));
        });
  }

  template <class BeginOffsetIteratorT, class EndOffsetIteratorT, class Body>
  static simtError_t for_segments(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                  std::int64_t num_segments, BeginOffsetIteratorT begins,
                                  EndOffsetIteratorT ends, simtStream_t stream, Body body) {
    constexpr std::size_t kGrain = 64;
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceSegmentedReduce", [=]() {
          simtrt::parallel_for(static_cast<std::size_t>(num_segments), kGrain,
                               [&](std::size_t first, std::size_t last) {
                                 BeginOffsetIteratorT begin = begins;
                                 EndOffsetIteratorT end = ends;
                                 for (std::size_t i = first; i < last; ++i) {
                                   body(static_cast<std::int64_t>(i),
                                        static_cast<std::int64_t>(begin[i]),
                                        static_cast<std::int64_t>(end[i]));
                                 }
                               });
        });
  }
};

CUB_NAMESPACE_END
