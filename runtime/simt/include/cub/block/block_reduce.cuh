// cub::BlockReduce: reduction of the values of all threads of a block. Interface: CUDA 12.4,
// cub/block/block_reduce.cuh.
#pragma once

#include <simtrt/cub/functors.h>
#include <simtrt/cub/thread.h>

CUB_NAMESPACE_BEGIN

/// Distribution of the work on a GPU. Here all algorithms combine the values in thread order, and
/// thus give the same result.
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

/// The result is valid in thread 0. TempStorage may be reused after a __syncthreads().
template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
  static constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

  struct Storage {
    T values[kThreads];
  };

 public:
  struct TempStorage : detail::Uninitialized<Storage> {};

  BlockReduce() : BlockReduce(private_storage()) {}
  explicit BlockReduce(TempStorage& storage)
      : storage_(storage.Alias()), thread_(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

  template <class ReductionOp>
  T Reduce(T input, ReductionOp reduction_op) {
    return Reduce(input, reduction_op, kThreads);
  }

  /// Reduces the values of the first `num_valid` threads only.
  template <class ReductionOp>
  T Reduce(T input, ReductionOp reduction_op, int num_valid) {
    storage_.values[thread_] = input;
    __syncthreads();
    if (thread_ == 0) {
      const int count = num_valid < kThreads ? num_valid : kThreads;
      for (int i = 1; i < count; ++i) input = reduction_op(input, storage_.values[i]);
    }
    return input;
  }

  template <int ITEMS_PER_THREAD, class ReductionOp>
  T Reduce(T (&inputs)[ITEMS_PER_THREAD], ReductionOp reduction_op) {
    T partial = inputs[0];
    for (int i = 1; i < ITEMS_PER_THREAD; ++i) partial = reduction_op(partial, inputs[i]);
    return Reduce(partial, reduction_op);
  }

  T Sum(T input) { return Reduce(input, cub::Sum()); }
  T Sum(T input, int num_valid) { return Reduce(input, cub::Sum(), num_valid); }
  template <int ITEMS_PER_THREAD>
  T Sum(T (&inputs)[ITEMS_PER_THREAD]) {
    return Reduce(inputs, cub::Sum());
  }

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  Storage& storage_;
  int thread_;
};

CUB_NAMESPACE_END
