// Functions that load and store a thread's items of a tile without shared memory. Interface:
// CUDA 12.4, cub/block/block_load.cuh and cub/block/block_store.cuh.
#pragma once

#include <simtrt/cub/arrangement.h>

#include <climits>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Number of a warp's first item in a tile, for warps whose items are striped.
template <int ITEMS>
constexpr int first_item_of_warp(int linear_tid) {
  return linear_tid / simtrt::kWarpSize * simtrt::kWarpSize * ITEMS;
}

template <class T, int ITEMS, class DefaultT>
void fill(T (&items)[ITEMS], const DefaultT& value) {
  for (T& item : items) item = static_cast<T>(value);
}

}  // namespace detail

// Loads. Items from `valid_items` on are unchanged, or set to `oob_default`.
template <class T, int ITEMS, class InputIteratorT>
void LoadDirectBlocked(int linear_tid, InputIteratorT source, T (&items)[ITEMS],
                       int valid_items = INT_MAX) {
  detail::load<false, 1>(linear_tid, source, items, valid_items);
}
template <class T, class DefaultT, int ITEMS, class InputIteratorT>
void LoadDirectBlocked(int linear_tid, InputIteratorT source, T (&items)[ITEMS], int valid_items,
                       DefaultT oob_default) {
  detail::fill(items, oob_default);
  LoadDirectBlocked(linear_tid, source, items, valid_items);
}
template <class T, int ITEMS>
void LoadDirectBlockedVectorized(int linear_tid, T* source, T (&items)[ITEMS]) {
  LoadDirectBlocked(linear_tid, source, items);
}

template <int BLOCK_THREADS, class T, int ITEMS, class InputIteratorT>
void LoadDirectStriped(int linear_tid, InputIteratorT source, T (&items)[ITEMS],
                       int valid_items = INT_MAX) {
  detail::load<true, BLOCK_THREADS>(linear_tid, source, items, valid_items);
}
template <int BLOCK_THREADS, class T, class DefaultT, int ITEMS, class InputIteratorT>
void LoadDirectStriped(int linear_tid, InputIteratorT source, T (&items)[ITEMS], int valid_items,
                       DefaultT oob_default) {
  detail::fill(items, oob_default);
  LoadDirectStriped<BLOCK_THREADS>(linear_tid, source, items, valid_items);
}

template <class T, int ITEMS, class InputIteratorT>
void LoadDirectWarpStriped(int linear_tid, InputIteratorT source, T (&items)[ITEMS],
                           int valid_items = INT_MAX) {
  const int first = detail::first_item_of_warp<ITEMS>(linear_tid);
  detail::load<true, simtrt::kWarpSize>(linear_tid % simtrt::kWarpSize, source + first, items,
                                        valid_items - first);
}
template <class T, class DefaultT, int ITEMS, class InputIteratorT>
void LoadDirectWarpStriped(int linear_tid, InputIteratorT source, T (&items)[ITEMS],
                           int valid_items, DefaultT oob_default) {
  detail::fill(items, oob_default);
  LoadDirectWarpStriped(linear_tid, source, items, valid_items);
}

// Stores. Items from `valid_items` on are not written.
template <class T, int ITEMS, class OutputIteratorT>
void StoreDirectBlocked(int linear_tid, OutputIteratorT target, T (&items)[ITEMS],
                        int valid_items = INT_MAX) {
  detail::store<false, 1>(linear_tid, target, items, valid_items);
}
template <class T, int ITEMS>
void StoreDirectBlockedVectorized(int linear_tid, T* target, T (&items)[ITEMS]) {
  StoreDirectBlocked(linear_tid, target, items);
}

template <int BLOCK_THREADS, class T, int ITEMS, class OutputIteratorT>
void StoreDirectStriped(int linear_tid, OutputIteratorT target, T (&items)[ITEMS],
                        int valid_items = INT_MAX) {
  detail::store<true, BLOCK_THREADS>(linear_tid, target, items, valid_items);
}

template <class T, int ITEMS, class OutputIteratorT>
void StoreDirectWarpStriped(int linear_tid, OutputIteratorT target, T (&items)[ITEMS],
                            int valid_items = INT_MAX) {
  const int first = detail::first_item_of_warp<ITEMS>(linear_tid);
  detail::store<true, simtrt::kWarpSize>(linear_tid % simtrt::kWarpSize, target + first, items,
                                         valid_items - first);
}

CUB_NAMESPACE_END
