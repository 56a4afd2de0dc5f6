// cub::WarpScan: prefix sums over the lanes of a warp. Interface: CUDA 12.4,
// cub/warp/warp_scan.cuh.
#pragma once

#include <simtrt/cub/functors.h>
#include <simtrt/cub/thread.h>

CUB_NAMESPACE_BEGIN

/// An exclusive scan without an initial value does not write the output of the first lane.
template <class T, int LOGICAL_WARP_THREADS = simtrt::kWarpSize, int LEGACY_PTX_ARCH = 0>
class WarpScan {
  static constexpr int kLanes = LOGICAL_WARP_THREADS;

  /// Inputs of the lanes, and the mask of the lanes that contributed one.
  struct Lanes {
    T values[kLanes];
    simtrt::lanemask_t present;
  };

 public:
  using TempStorage = detail::NoStorage;

  explicit WarpScan(TempStorage&) {}

  void InclusiveSum(T input, T& inclusive_output) {
    InclusiveScan(input, inclusive_output, cub::Sum());
  }
  void InclusiveSum(T input, T& inclusive_output, T& warp_aggregate) {
    InclusiveScan(input, inclusive_output, cub::Sum(), warp_aggregate);
  }
  void ExclusiveSum(T input, T& exclusive_output) {
    ExclusiveScan(input, exclusive_output, T(), cub::Sum());
  }
  void ExclusiveSum(T input, T& exclusive_output, T& warp_aggregate) {
    ExclusiveScan(input, exclusive_output, T(), cub::Sum(), warp_aggregate);
  }

  template <class ScanOp>
  void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op) {
    const Lanes lanes = gather(input);
    inclusive_output = through(lanes, warp_.lane(), scan_op);
  }
  template <class ScanOp>
  void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op, T& warp_aggregate) {
    const Lanes lanes = gather(input);
    inclusive_output = through(lanes, warp_.lane(), scan_op);
    warp_aggregate = through(lanes, kLanes - 1, scan_op);
  }

  template <class ScanOp>
  void ExclusiveScan(T input, T& exclusive_output, ScanOp scan_op) {
    const Lanes lanes = gather(input);
    if (warp_.lane() > 0) exclusive_output = through(lanes, warp_.lane() - 1, scan_op);
  }
  template <class ScanOp>
  void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op) {
    const Lanes lanes = gather(input);
    exclusive_output = before(lanes, initial_value, scan_op);
  }
  template <class ScanOp>
  void ExclusiveScan(T input, T& exclusive_output, ScanOp scan_op, T& warp_aggregate) {
    const Lanes lanes = gather(input);
    if (warp_.lane() > 0) exclusive_output = through(lanes, warp_.lane() - 1, scan_op);
    warp_aggregate = through(lanes, kLanes - 1, scan_op);
  }
  template <class ScanOp>
  void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op,
                     T& warp_aggregate) {
    const Lanes lanes = gather(input);
    exclusive_output = before(lanes, initial_value, scan_op);
    warp_aggregate = through(lanes, kLanes - 1, scan_op);
  }

  template <class ScanOp>
  void Scan(T input, T& inclusive_output, T& exclusive_output, ScanOp scan_op) {
    const Lanes lanes = gather(input);
    if (warp_.lane() > 0) exclusive_output = through(lanes, warp_.lane() - 1, scan_op);
    inclusive_output = through(lanes, warp_.lane(), scan_op);
  }
  /// The initial value precedes the first input in the inclusive output too.
  template <class ScanOp>
  void Scan(T input, T& inclusive_output, T& exclusive_output, T initial_value, ScanOp scan_op) {
    const Lanes lanes = gather(input);
    exclusive_output = before(lanes, initial_value, scan_op);
    inclusive_output = scan_op(initial_value, through(lanes, warp_.lane(), scan_op));
  }

  /// The input of lane `src_lane` of the logical warp.
  T Broadcast(T input, unsigned int src_lane) { return gather(input).values[src_lane % kLanes]; }

 private:
  Lanes gather(const T& input) const {
    Lanes lanes;
    lanes.present = warp_.gather(input, lanes.values);
    return lanes;
  }

  /// Combined values of all lanes up to and including `last`.
  template <class ScanOp>
  static T through(const Lanes& lanes, int last, ScanOp& scan_op) {
    T value = lanes.values[0];
    for (int i = 1; i <= last; ++i) {
      if ((lanes.present >> i & 1) != 0) value = scan_op(value, lanes.values[i]);
    }
    return value;
  }

  template <class ScanOp>
  T before(const Lanes& lanes, const T& initial_value, ScanOp& scan_op) const {
    if (warp_.lane() == 0) return initial_value;
    return scan_op(initial_value, through(lanes, warp_.lane() - 1, scan_op));
  }

  detail::LogicalWarp<LOGICAL_WARP_THREADS> warp_;
};

CUB_NAMESPACE_END
