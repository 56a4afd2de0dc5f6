// cub::WarpStore: a warp writes the items in the registers of its threads to memory.
// Interface: CUDA 12.4, cub/warp/warp_store.cuh.
#pragma once

#include <simtrt/cub/arrangement.h>

CUB_NAMESPACE_BEGIN

/// Only STRIPED arranges items in stripes. The other algorithms differ on a GPU, but all expect the
/// blocked arrangement.
enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT,
  WARP_STORE_STRIPED,
  WARP_STORE_VECTORIZE,
  WARP_STORE_TRANSPOSE
};

template <class T, int ITEMS_PER_THREAD, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT,
          int LOGICAL_WARP_THREADS = simtrt::kWarpSize, int LEGACY_PTX_ARCH = 0>
class WarpStore {
  static constexpr int kThreads = LOGICAL_WARP_THREADS;
  static constexpr bool kStriped = ALGORITHM == WARP_STORE_STRIPED;
  // True for algorithms that exchange items between threads on a GPU. With these algorithms, all
  // threads arrive before any thread writes.
  static constexpr bool kExchanges = ALGORITHM == WARP_STORE_TRANSPOSE;

 public:
  using TempStorage = detail::ExchangeStorage<kExchanges, T, kThreads * ITEMS_PER_THREAD>;

  WarpStore() = default;
  explicit WarpStore(TempStorage&) {}

  template <class OutputIteratorT>
  void Store(OutputIteratorT target, T (&items)[ITEMS_PER_THREAD]) {
    Store(target, items, kThreads * ITEMS_PER_THREAD);
  }

  /// Items from `valid_items` on are not written.
  template <class OutputIteratorT>
  void Store(OutputIteratorT target, T (&items)[ITEMS_PER_THREAD], int valid_items) {
    if (kExchanges) warp_.sync();
    detail::store<kStriped, kThreads>(warp_.lane(), target, items, valid_items);
  }

 private:
  detail::LogicalWarp<LOGICAL_WARP_THREADS> warp_;
};

CUB_NAMESPACE_END
