// cub::WarpReduce: reduction of the values of all lanes of a warp. Interface: CUDA 12.4,
// cub/warp/warp_reduce.cuh.
#pragma once

#include <simtrt/cub/functors.h>
#include <simtrt/cub/thread.h>

CUB_NAMESPACE_BEGIN

/// The result is valid in the first lane of each logical warp; for segmented reductions, in the
/// first lane of each segment. Lanes that have returned from the kernel contribute nothing.
template <class T, int LOGICAL_WARP_THREADS = simtrt::kWarpSize, int LEGACY_PTX_ARCH = 0>
class WarpReduce {
  static constexpr int kLanes = LOGICAL_WARP_THREADS;

 public:
  using TempStorage = detail::NoStorage;

  explicit WarpReduce(TempStorage&) {}

  T Sum(T input) { return Reduce(input, cub::Sum()); }
  T Sum(T input, int valid_items) { return Reduce(input, cub::Sum(), valid_items); }
  template <class FlagT>
  T HeadSegmentedSum(T input, FlagT head_flag) {
    return HeadSegmentedReduce(input, head_flag, cub::Sum());
  }
  template <class FlagT>
  T TailSegmentedSum(T input, FlagT tail_flag) {
    return TailSegmentedReduce(input, tail_flag, cub::Sum());
  }

  template <class ReductionOp>
  T Reduce(T input, ReductionOp reduction_op) {
    return Reduce(input, reduction_op, kLanes);
  }

  /// Reduces the values of the first `valid_items` lanes only.
  template <class ReductionOp>
  T Reduce(T input, ReductionOp reduction_op, int valid_items) {
    T all[kLanes];
    const simtrt::lanemask_t present = warp_.gather(input, all);
    if (warp_.lane() != 0) return input;
    return combine(input, all, present, valid_items, reduction_op);
  }

  /// A lane whose flag is set begins a segment.
  template <class ReductionOp, class FlagT>
  T HeadSegmentedReduce(T input, FlagT head_flag, ReductionOp reduction_op) {
    T all[kLanes];
    unsigned char flags[kLanes];
    const simtrt::lanemask_t present = warp_.gather(input, all);
    warp_.gather(static_cast<unsigned char>(head_flag != 0), flags);
    int end = warp_.lane() + 1;
    while (end < kLanes && !((present >> end & 1) != 0 && flags[end] != 0)) ++end;
    return combine(input, all, present, end, reduction_op);
  }

  /// A lane whose flag is set ends a segment.
  template <class ReductionOp, class FlagT>
  T TailSegmentedReduce(T input, FlagT tail_flag, ReductionOp reduction_op) {
    T all[kLanes];
    unsigned char flags[kLanes];
    const simtrt::lanemask_t present = warp_.gather(input, all);
    warp_.gather(static_cast<unsigned char>(tail_flag != 0), flags);
    int end = warp_.lane();
    while (end + 1 < kLanes && !((present >> end & 1) != 0 && flags[end] != 0)) ++end;
    return combine(input, all, present, end + 1, reduction_op);
  }

 private:
  /// Combined values of the caller and of the later lanes before `end`.
  template <class ReductionOp>
  T combine(T value, const T (&all)[kLanes], simtrt::lanemask_t present, int end,
            ReductionOp& reduction_op) const {
    for (int i = warp_.lane() + 1; i < end && i < kLanes; ++i) {
      if ((present >> i & 1) != 0) value = reduction_op(value, all[i]);
    }
    return value;
  }

  detail::LogicalWarp<LOGICAL_WARP_THREADS> warp_;
};

CUB_NAMESPACE_END
