// cub::BlockExchange: a block rearranges the items of its threads. Interface: CUDA 12.4,
// cub/block/block_exchange.cuh.
#pragma once

#include <simtrt/cub/arrangement.h>

CUB_NAMESPACE_BEGIN

/// TempStorage may be reused after a __syncthreads(). Each function has two overloads: with a
/// separate output array, and in place.
template <class InputT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockExchange {
  static constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static constexpr int kItems = ITEMS_PER_THREAD;

  struct Storage {
    InputT tile[kThreads * kItems];
  };

 public:
  struct TempStorage : detail::Uninitialized<Storage> {};

  BlockExchange() : BlockExchange(private_storage()) {}
  explicit BlockExchange(TempStorage& storage)
      : storage_(storage.Alias()), thread_(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

  template <class OutputT>
  void StripedToBlocked(InputT (&input)[kItems], OutputT (&output)[kItems]) {
    exchange(input, output, &detail::striped<kThreads>, &detail::blocked<kItems>);
  }
  template <class OutputT>
  void BlockedToStriped(InputT (&input)[kItems], OutputT (&output)[kItems]) {
    exchange(input, output, &detail::blocked<kItems>, &detail::striped<kThreads>);
  }
  template <class OutputT>
  void WarpStripedToBlocked(InputT (&input)[kItems], OutputT (&output)[kItems]) {
    exchange(input, output, &detail::warp_striped<kThreads, kItems>, &detail::blocked<kItems>);
  }
  template <class OutputT>
  void BlockedToWarpStriped(InputT (&input)[kItems], OutputT (&output)[kItems]) {
    exchange(input, output, &detail::blocked<kItems>, &detail::warp_striped<kThreads, kItems>);
  }

  /// Item i of a thread moves to position ranks[i] of the tile.
  template <class OutputT, class OffsetT>
  void ScatterToBlocked(InputT (&input)[kItems], OutputT (&output)[kItems],
                        OffsetT (&ranks)[kItems]) {
    scatter(input, ranks, [](int) { return true; });
    collect(output, &detail::blocked<kItems>);
  }
  template <class OutputT, class OffsetT>
  void ScatterToStriped(InputT (&input)[kItems], OutputT (&output)[kItems],
                        OffsetT (&ranks)[kItems]) {
    scatter(input, ranks, [](int) { return true; });
    collect(output, &detail::striped<kThreads>);
  }
  /// Items with a negative rank are dropped.
  template <class OutputT, class OffsetT>
  void ScatterToStripedGuarded(InputT (&input)[kItems], OutputT (&output)[kItems],
                               OffsetT (&ranks)[kItems]) {
    scatter(input, ranks, [&](int i) { return ranks[i] >= 0; });
    collect(output, &detail::striped<kThreads>);
  }
  /// Items whose flag is false are dropped.
  template <class OutputT, class OffsetT, class ValidFlag>
  void ScatterToStripedFlagged(InputT (&input)[kItems], OutputT (&output)[kItems],
                               OffsetT (&ranks)[kItems], ValidFlag (&is_valid)[kItems]) {
    scatter(input, ranks, [&](int i) { return static_cast<bool>(is_valid[i]); });
    collect(output, &detail::striped<kThreads>);
  }

  void StripedToBlocked(InputT (&items)[kItems]) { StripedToBlocked(items, items); }
  void BlockedToStriped(InputT (&items)[kItems]) { BlockedToStriped(items, items); }
  void WarpStripedToBlocked(InputT (&items)[kItems]) { WarpStripedToBlocked(items, items); }
  void BlockedToWarpStriped(InputT (&items)[kItems]) { BlockedToWarpStriped(items, items); }
  template <class OffsetT>
  void ScatterToBlocked(InputT (&items)[kItems], OffsetT (&ranks)[kItems]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class OffsetT>
  void ScatterToStriped(InputT (&items)[kItems], OffsetT (&ranks)[kItems]) {
    ScatterToStriped(items, items, ranks);
  }
  template <class OffsetT>
  void ScatterToStripedGuarded(InputT (&items)[kItems], OffsetT (&ranks)[kItems]) {
    ScatterToStripedGuarded(items, items, ranks);
  }
  template <class OffsetT, class ValidFlag>
  void ScatterToStripedFlagged(InputT (&items)[kItems], OffsetT (&ranks)[kItems],
                               ValidFlag (&is_valid)[kItems]) {
    ScatterToStripedFlagged(items, items, ranks, is_valid);
  }

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  template <class OutputT>
  void exchange(InputT (&input)[kItems], OutputT (&output)[kItems], int (*from)(int, int),
                int (*to)(int, int)) {
    for (int i = 0; i < kItems; ++i) storage_.tile[from(thread_, i)] = input[i];
    __syncthreads();
    collect_at(output, to);
  }

  template <class OffsetT, class Wanted>
  void scatter(InputT (&input)[kItems], OffsetT (&ranks)[kItems], Wanted wanted) {
    for (int i = 0; i < kItems; ++i) {
      if (wanted(i)) storage_.tile[ranks[i]] = input[i];
    }
  }

  template <class OutputT>
  void collect(OutputT (&output)[kItems], int (*at)(int, int)) {
    __syncthreads();
    collect_at(output, at);
  }

  template <class OutputT>
  void collect_at(OutputT (&output)[kItems], int (*at)(int, int)) {
    for (int i = 0; i < kItems; ++i)
      output[i] = static_cast<OutputT>(storage_.tile[at(thread_, i)]);
  }

  Storage& storage_;
  int thread_;
};

CUB_NAMESPACE_END
