// cub::WarpLoad: a warp reads a tile of items from memory into the registers of its threads.
// Interface: CUDA 12.4, cub/warp/warp_load.cuh.
#pragma once

#include <simtrt/cub/arrangement.h>

CUB_NAMESPACE_BEGIN

/// Only STRIPED arranges items in stripes. The other algorithms differ on a GPU, but all produce
/// the blocked arrangement.
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
  // True for algorithms that exchange items between threads on a GPU. With these algorithms, all
  // reads precede the return of any thread, so programs may then overwrite the input.
  static constexpr bool kExchanges = ALGORITHM == WARP_LOAD_TRANSPOSE;

 public:
  using TempStorage = detail::ExchangeStorage<kExchanges, InputT, kThreads * ITEMS_PER_THREAD>;

  WarpLoad() = default;
  explicit WarpLoad(TempStorage&) {}

  template <class InputIteratorT>
  void Load(InputIteratorT source, InputT (&items)[ITEMS_PER_THREAD]) {
    Load(source, items, kThreads * ITEMS_PER_THREAD);
  }

  /// Items from `valid_items` on are unchanged.
  template <class InputIteratorT>
  void Load(InputIteratorT source, InputT (&items)[ITEMS_PER_THREAD], int valid_items) {
    detail::load<kStriped, kThreads>(warp_.lane(), source, items, valid_items);
    if (kExchanges) warp_.sync();
  }

  /// Items from `valid_items` on are set to `oob_default`.
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
