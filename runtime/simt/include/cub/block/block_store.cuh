// cub::BlockStore: a block writes the items in the registers of its threads to memory.
// Interface: CUDA 12.4, cub/block/block_store.cuh.
#pragma once

#include <cub/block/block_exchange.cuh>
#include <simtrt/cub/direct_access.h>

CUB_NAMESPACE_BEGIN

/// Only STRIPED arranges items in stripes. The other algorithms differ on a GPU, but all expect the
/// blocked arrangement.
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
  static constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static constexpr bool kStriped = ALGORITHM == BLOCK_STORE_STRIPED;
  // True for algorithms that exchange items between threads on a GPU. With these algorithms, all
  // threads arrive before any thread writes.
  static constexpr bool kExchanges = ALGORITHM == BLOCK_STORE_TRANSPOSE ||
                                     ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE ||
                                     ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED;
  // TIMESLICED: on a GPU, all warps use the storage of one warp in turn.
  static constexpr int kSharers =
      ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED && kThreads > simtrt::kWarpSize
          ? simtrt::kWarpSize
          : kThreads;

 public:
  using TempStorage = detail::ExchangeStorage<kExchanges, T, kSharers * ITEMS_PER_THREAD>;

  BlockStore() : thread_(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
  explicit BlockStore(TempStorage&) : BlockStore() {}

  template <class OutputIteratorT>
  void Store(OutputIteratorT target, T (&items)[ITEMS_PER_THREAD]) {
    Store(target, items, kThreads * ITEMS_PER_THREAD);
  }

  /// Items from `valid_items` on are not written.
  template <class OutputIteratorT>
  void Store(OutputIteratorT target, T (&items)[ITEMS_PER_THREAD], int valid_items) {
    if (kExchanges) __syncthreads();
    detail::store<kStriped, kThreads>(thread_, target, items, valid_items);
  }

 private:
  int thread_;
};

CUB_NAMESPACE_END
