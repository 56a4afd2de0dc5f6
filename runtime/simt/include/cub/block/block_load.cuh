// cub::BlockLoad: a block reads a tile of items from memory into the registers of its threads.
// Interface: CUDA 12.4, cub/block/block_load.cuh.
#pragma once

#include <cub/block/block_exchange.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <simtrt/cub/direct_access.h>

CUB_NAMESPACE_BEGIN

/// Only STRIPED arranges items in stripes. The other algorithms differ on a GPU, but all produce
/// the blocked arrangement.
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class InputT, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
  static constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static constexpr bool kStriped = ALGORITHM == BLOCK_LOAD_STRIPED;
  // True for algorithms that exchange items between threads on a GPU. With these algorithms, all
  // reads precede the return of any thread, so programs may then overwrite the input.
  static constexpr bool kExchanges = ALGORITHM == BLOCK_LOAD_TRANSPOSE ||
                                     ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE ||
                                     ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;
  // TIMESLICED: on a GPU, all warps use the storage of one warp in turn.
  static constexpr int kSharers =
      ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED && kThreads > simtrt::kWarpSize
          ? simtrt::kWarpSize
          : kThreads;

 public:
  using TempStorage = detail::ExchangeStorage<kExchanges, InputT, kSharers * ITEMS_PER_THREAD>;

  BlockLoad() : thread_(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
  explicit BlockLoad(TempStorage&) : BlockLoad() {}

  template <class InputIteratorT>
  void Load(InputIteratorT source, InputT (&items)[ITEMS_PER_THREAD]) {
    Load(source, items, kThreads * ITEMS_PER_THREAD);
  }

  /// Items from `valid_items` on are unchanged.
  template <class InputIteratorT>
  void Load(InputIteratorT source, InputT (&items)[ITEMS_PER_THREAD], int valid_items) {
    detail::load<kStriped, kThreads>(thread_, source, items, valid_items);
    if (kExchanges) __syncthreads();
  }

  /// Items from `valid_items` on are set to `oob_default`.
  template <class InputIteratorT, class DefaultT>
  void Load(InputIteratorT source, InputT (&items)[ITEMS_PER_THREAD], int valid_items,
            DefaultT oob_default) {
    for (InputT& item : items) item = static_cast<InputT>(oob_default);
    Load(source, items, valid_items);
  }

 private:
  int thread_;
};

CUB_NAMESPACE_END
