// cub::BlockScan: prefix sums over the threads of a block. Interface: CUDA 12.4,
// cub/block/block_scan.cuh.
#pragma once

#include <simtrt/cub/functors.h>
#include <simtrt/cub/thread.h>

CUB_NAMESPACE_BEGIN

/// Distribution of the work on a GPU. Here all algorithms combine the values in thread order, and
/// thus give the same result.
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/// TempStorage may be reused after a __syncthreads(). Each thread of the first warp calls a prefix
/// callback with the aggregate of the block; the result in thread 0 is the prefix of all items. An
/// exclusive scan without an initial value does not write the output of the first item.
template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
  static constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

  struct Storage {
    T values[kThreads];
    T aggregate;
    T prefix;
  };

  /// Prefix of a thread's items; thread 0 may have none.
  struct Before {
    T value;
    bool exists;
  };

 public:
  struct TempStorage : detail::Uninitialized<Storage> {};

  BlockScan() : BlockScan(private_storage()) {}
  explicit BlockScan(TempStorage& storage)
      : storage_(storage.Alias()), thread_(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

  // Exclusive sums.
  void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  void ExclusiveSum(T input, T& output, T& block_aggregate) {
    ExclusiveScan(input, output, T(), cub::Sum(), block_aggregate);
  }
  template <class BlockPrefixCallbackOp>
  void ExclusiveSum(T input, T& output, BlockPrefixCallbackOp& block_prefix_callback_op) {
    ExclusiveScan(input, output, cub::Sum(), block_prefix_callback_op);
  }
  template <int ITEMS>
  void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
    ExclusiveScan(input, output, T(), cub::Sum());
  }
  template <int ITEMS>
  void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& block_aggregate) {
    ExclusiveScan(input, output, T(), cub::Sum(), block_aggregate);
  }
  template <int ITEMS, class BlockPrefixCallbackOp>
  void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                    BlockPrefixCallbackOp& block_prefix_callback_op) {
    ExclusiveScan(input, output, cub::Sum(), block_prefix_callback_op);
  }

  // Exclusive scans with an initial value.
  template <class ScanOp>
  void ExclusiveScan(T input, T& output, T initial_value, ScanOp scan_op) {
    exclusive(as_items(input), as_items(output), scan_op, seeded(input, scan_op, initial_value));
  }
  template <class ScanOp>
  void ExclusiveScan(T input, T& output, T initial_value, ScanOp scan_op, T& block_aggregate) {
    exclusive(as_items(input), as_items(output), scan_op, seeded(input, scan_op, initial_value));
    block_aggregate = storage_.aggregate;
  }
  template <int ITEMS, class ScanOp>
  void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial_value, ScanOp scan_op) {
    exclusive(input, output, scan_op, seeded(total(input, scan_op), scan_op, initial_value));
  }
  template <int ITEMS, class ScanOp>
  void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial_value, ScanOp scan_op,
                     T& block_aggregate) {
    exclusive(input, output, scan_op, seeded(total(input, scan_op), scan_op, initial_value));
    block_aggregate = storage_.aggregate;
  }

  // Exclusive scans with a prefix callback.
  template <class ScanOp, class BlockPrefixCallbackOp>
  void ExclusiveScan(T input, T& output, ScanOp scan_op,
                     BlockPrefixCallbackOp& block_prefix_callback_op) {
    exclusive(as_items(input), as_items(output), scan_op,
              prefixed(input, scan_op, block_prefix_callback_op));
  }
  template <int ITEMS, class ScanOp, class BlockPrefixCallbackOp>
  void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op,
                     BlockPrefixCallbackOp& block_prefix_callback_op) {
    exclusive(input, output, scan_op,
              prefixed(total(input, scan_op), scan_op, block_prefix_callback_op));
  }

  // Exclusive scans without an initial value.
  template <class ScanOp>
  void ExclusiveScan(T input, T& output, ScanOp scan_op) {
    exclusive(as_items(input), as_items(output), scan_op, before(input, scan_op));
  }
  template <class ScanOp>
  void ExclusiveScan(T input, T& output, ScanOp scan_op, T& block_aggregate) {
    exclusive(as_items(input), as_items(output), scan_op, before(input, scan_op));
    block_aggregate = storage_.aggregate;
  }
  template <int ITEMS, class ScanOp>
  void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op) {
    exclusive(input, output, scan_op, before(total(input, scan_op), scan_op));
  }
  template <int ITEMS, class ScanOp>
  void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op, T& block_aggregate) {
    exclusive(input, output, scan_op, before(total(input, scan_op), scan_op));
    block_aggregate = storage_.aggregate;
  }

  // Inclusive sums.
  void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  void InclusiveSum(T input, T& output, T& block_aggregate) {
    InclusiveScan(input, output, cub::Sum(), block_aggregate);
  }
  template <class BlockPrefixCallbackOp>
  void InclusiveSum(T input, T& output, BlockPrefixCallbackOp& block_prefix_callback_op) {
    InclusiveScan(input, output, cub::Sum(), block_prefix_callback_op);
  }
  template <int ITEMS>
  void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
    InclusiveScan(input, output, cub::Sum());
  }
  template <int ITEMS>
  void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& block_aggregate) {
    InclusiveScan(input, output, cub::Sum(), block_aggregate);
  }
  template <int ITEMS, class BlockPrefixCallbackOp>
  void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                    BlockPrefixCallbackOp& block_prefix_callback_op) {
    InclusiveScan(input, output, cub::Sum(), block_prefix_callback_op);
  }

  // Inclusive scans.
  template <class ScanOp>
  void InclusiveScan(T input, T& output, ScanOp scan_op) {
    inclusive(as_items(input), as_items(output), scan_op, before(input, scan_op));
  }
  template <class ScanOp>
  void InclusiveScan(T input, T& output, ScanOp scan_op, T& block_aggregate) {
    inclusive(as_items(input), as_items(output), scan_op, before(input, scan_op));
    block_aggregate = storage_.aggregate;
  }
  template <class ScanOp, class BlockPrefixCallbackOp>
  void InclusiveScan(T input, T& output, ScanOp scan_op,
                     BlockPrefixCallbackOp& block_prefix_callback_op) {
    inclusive(as_items(input), as_items(output), scan_op,
              prefixed(input, scan_op, block_prefix_callback_op));
  }
  template <int ITEMS, class ScanOp>
  void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op) {
    inclusive(input, output, scan_op, before(total(input, scan_op), scan_op));
  }
  template <int ITEMS, class ScanOp>
  void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op, T& block_aggregate) {
    inclusive(input, output, scan_op, before(total(input, scan_op), scan_op));
    block_aggregate = storage_.aggregate;
  }
  template <int ITEMS, class ScanOp, class BlockPrefixCallbackOp>
  void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op,
                     BlockPrefixCallbackOp& block_prefix_callback_op) {
    inclusive(input, output, scan_op,
              prefixed(total(input, scan_op), scan_op, block_prefix_callback_op));
  }

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  static T (&as_items(T& item))[1] { return reinterpret_cast<T(&)[1]>(item); }

  template <int ITEMS, class ScanOp>
  static T total(const T (&items)[ITEMS], ScanOp& scan_op) {
    T sum = items[0];
    for (int i = 1; i < ITEMS; ++i) sum = scan_op(sum, items[i]);
    return sum;
  }

  /// Combined `input` values of all earlier threads; empty for thread 0.
  template <class ScanOp>
  Before before(const T& input, ScanOp& scan_op) {
    storage_.values[thread_] = input;
    __syncthreads();
    if (thread_ == 0) {
      T running = storage_.values[0];
      for (int i = 1; i < kThreads; ++i) {
        const T next = scan_op(running, storage_.values[i]);
        storage_.values[i] = running;
        running = next;
      }
      storage_.aggregate = running;
    }
    __syncthreads();
    return {storage_.values[thread_], thread_ != 0};
  }

  template <class ScanOp>
  Before seeded(const T& input, ScanOp& scan_op, const T& seed) {
    const Before mine = before(input, scan_op);
    return {mine.exists ? scan_op(seed, mine.value) : seed, true};
  }

  template <class ScanOp, class BlockPrefixCallbackOp>
  Before prefixed(const T& input, ScanOp& scan_op, BlockPrefixCallbackOp& callback) {
    const Before mine = before(input, scan_op);
    if (thread_ < simtrt::kWarpSize) {
      const T prefix = callback(T(storage_.aggregate));
      if (thread_ == 0) storage_.prefix = prefix;
    }
    __syncthreads();
    const T prefix = storage_.prefix;
    return {mine.exists ? scan_op(prefix, mine.value) : prefix, true};
  }

  template <int ITEMS, class ScanOp>
  static void exclusive(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp& scan_op, Before running) {
    for (int i = 0; i < ITEMS; ++i) {
      const T item = input[i];  // the output may be the input
      if (running.exists) output[i] = running.value;
      running.value = running.exists ? scan_op(running.value, item) : item;
      running.exists = true;
    }
  }

  template <int ITEMS, class ScanOp>
  static void inclusive(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp& scan_op, Before running) {
    for (int i = 0; i < ITEMS; ++i) {
      running.value = running.exists ? scan_op(running.value, input[i]) : input[i];
      running.exists = true;
      output[i] = running.value;
    }
  }

  Storage& storage_;
  int thread_;
};

CUB_NAMESPACE_END
