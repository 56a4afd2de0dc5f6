// cub::WarpLoad: a warp reads a tile of items from memory into the registers of its threads.
// Interface: CUDA 12.4, cub/warp/warp_load.cuh.
#pragma once

#include <simtrt/cub/arrangement.h>

CUB_NAMESPACE_BEGIN

/// Only STRIPED arranges items in stripes; the others are ways of a GPU to the same blocked
/// arrangement.
enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT,
  WARP_LOAD_STRIPED,
  WARP_LOAD_VECTORIZE,
  WARP_LOAD_TRANSPOSE
};

template <class InputT, int ITEMS_PER_THREAD, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT,
          int LOGICAL_WARP_THREADS = simtrt::kWarpSize, int LEGACY_PTX_ARCH = 0>
class WarpLoad {
  static constexpr int kThreads = LOGICAL_WARP_THREADS;
  static constexpr bool kStriped = ALGORITHM == WARP_LOAD_STRIPED;
  // Where a GPU exchanges items between threads, all reads come before any thread goes on. Programs
  // that write over what they read rely on it.
  static constexpr bool kExchanges = ALGORITHM == WARP_LOAD_TRANSPOSE;

 public:
  using TempStorage = detail::ExchangeStorage<kExchanges, InputT, kThreads * ITEMS_PER_THREAD>;

  WarpLoad() = default;
  explicit WarpLoad(TempStorage&) {}

  template <class InputIteratorT>
  void Load(InputIteratorT source, InputT (&items)[ITEMS_PER_THREAD]) {
    Load(source, items, kThreads * ITEMS_PER_THREAD);
  }

  /// Items from `valid_items` on stay as they are.
  template <class InputIteratorT>
  void Load(InputIteratorT source, InputT (&items)[ITEMS_PER_THREAD], int valid_items) {
    detail::load<kStriped, kThreads>(warp_.lane(), source, items, valid_items);
    if (kExchanges) warp_.sync();
  }

  /// Items from `valid_items` on become `oob_default`.
  template <class InputIteratorT, class DefaultT>
  void Load(InputIteratorT source, InputT (&items)[ITEMS_PER_THREAD], int valid_items,
            DefaultT oob_default) {
    for (InputT& item : items) item = static_cast<InputT>(oob_default);
    Load(source, items, valid_items);
  }

 private:
  detail::LogicalWarp<LOGICAL_WARP_THREADS> warp_;
};

CUB_NAMESPACE_END
