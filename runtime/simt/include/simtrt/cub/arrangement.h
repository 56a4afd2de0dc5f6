// Arrangement of a tile's items in the registers of its threads: blocked (each thread has adjacent
// items) or striped (adjacent items are in adjacent threads).
#pragma once

#include <simtrt/cub/thread.h>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Position in the tile of item `item` of thread `thread`.
template <int ITEMS>
constexpr int blocked(int thread, int item) {
  return thread * ITEMS + item;
}
template <int THREADS>
constexpr int striped(int thread, int item) {
  return item * THREADS + thread;
}
/// The tile is divided into warps in blocked arrangement; within each warp, items are striped.
template <int THREADS, int ITEMS>
constexpr int warp_striped(int thread, int item) {
  constexpr int kWarp = THREADS < simtrt::kWarpSize ? THREADS : simtrt::kWarpSize;
  return thread / kWarp * kWarp * ITEMS + item * kWarp + thread % kWarp;
}

template <bool STRIPED, int THREADS, int ITEMS>
constexpr int place(int thread, int item) {
  return STRIPED ? striped<THREADS>(thread, item) : blocked<ITEMS>(thread, item);
}

/// Loads those items of the tile at `source` whose position is below `valid_items`; the other
/// elements of the thread's array are unchanged.
template <bool STRIPED, int THREADS, class T, int ITEMS, class Iterator>
void load(int thread, Iterator source, T (&items)[ITEMS], int valid_items) {
  for (int i = 0; i < ITEMS; ++i) {
    const int at = place<STRIPED, THREADS, ITEMS>(thread, i);
    if (at < valid_items) items[i] = static_cast<T>(source[at]);
  }
}

template <bool STRIPED, int THREADS, class T, int ITEMS, class Iterator>
void store(int thread, Iterator target, T (&items)[ITEMS], int valid_items) {
  for (int i = 0; i < ITEMS; ++i) {
    const int at = place<STRIPED, THREADS, ITEMS>(thread, i);
    if (at < valid_items) target[at] = items[i];
  }
}

}  // namespace detail

CUB_NAMESPACE_END
