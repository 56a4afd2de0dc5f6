// cub::BlockDiscontinuity: flags of items that differ from their neighbours in the tile of a block. Interface: CUDA
// 12.4, cub/block/block_discontinuity.cuh.
#pragma once

#include <simtrt/cub/neighbours.h>

CUB_NAMESPACE_BEGIN

/// Items are in blocked arrangement. A head differs from the item before, a tail from the item after it. The
/// first head and the last tail are flagged if no item of another tile is given. TempStorage may be reused after
/// a __syncthreads().
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockDiscontinuity {
  using Edges = detail::Neighbours<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

 public:
  struct TempStorage : detail::Uninitialized<typename Edges::Storage> {};

  BlockDiscontinuity() : BlockDiscontinuity(private_storage()) {}
  explicit BlockDiscontinuity(TempStorage& storage) : edges_(storage.Alias()) {}

  template <int ITEMS, class FlagT, class FlagOp>
  void FlagHeads(FlagT (&heads)[ITEMS], T (&input)[ITEMS], FlagOp flag_op) {
    edges_.share(input);
    flag_heads(heads, input, nullptr, flag_op);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  void FlagHeads(FlagT (&heads)[ITEMS], T (&input)[ITEMS], FlagOp flag_op, T tile_predecessor_item) {
    edges_.share(input);
    flag_heads(heads, input, &tile_predecessor_item, flag_op);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  void FlagTails(FlagT (&tails)[ITEMS], T (&input)[ITEMS], FlagOp flag_op) {
    edges_.share(input);
    flag_tails(tails, input, nullptr, flag_op);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  void FlagTails(FlagT (&tails)[ITEMS], T (&input)[ITEMS], FlagOp flag_op, T tile_successor_item) {
    edges_.share(input);
    flag_tails(tails, input, &tile_successor_item, flag_op);
  }

  template <int ITEMS, class FlagT, class FlagOp>
  void FlagHeadsAndTails(FlagT (&heads)[ITEMS], FlagT (&tails)[ITEMS], T (&input)[ITEMS],
                         FlagOp flag_op) {
    flag_both(heads, nullptr, tails, nullptr, input, flag_op);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  void FlagHeadsAndTails(FlagT (&heads)[ITEMS], FlagT (&tails)[ITEMS], T tile_successor_item,
                         T (&input)[ITEMS], FlagOp flag_op) {
    flag_both(heads, nullptr, tails, &tile_successor_item, input, flag_op);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  void FlagHeadsAndTails(FlagT (&heads)[ITEMS], T tile_predecessor_item, FlagT (&tails)[ITEMS],
                         T (&input)[ITEMS], FlagOp flag_op) {
    flag_both(heads, &tile_predecessor_item, tails, nullptr, input, flag_op);
  }
  template <int ITEMS, class FlagT, class FlagOp>
  void FlagHeadsAndTails(FlagT (&heads)[ITEMS], T tile_predecessor_item, FlagT (&tails)[ITEMS],
                         T tile_successor_item, T (&input)[ITEMS], FlagOp flag_op) {
    flag_both(heads, &tile_predecessor_item, tails, &tile_successor_item, input, flag_op);
  }

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  // An operator may take the index of the second item.
  template <class FlagOp>
  static bool differ(FlagOp& flag_op, const T& a, const T& b, int index) {
    if constexpr (std::is_invocable_v<FlagOp&, const T&, const T&, int>) {
      return static_cast<bool>(flag_op(a, b, index));
    } else {
      return static_cast<bool>(flag_op(a, b));
    }
  }

  template <int ITEMS, class FlagT, class FlagOp>
  void flag_heads(FlagT (&heads)[ITEMS], T (&input)[ITEMS], const T* before_tile, FlagOp& flag_op) {
    for (int i = 0; i < ITEMS; ++i) {
      const T* before = i > 0 ? &input[i - 1] : edges_.before(before_tile);
      const int index = edges_.thread() * ITEMS + i;
      heads[i] = before == nullptr ? 1 : differ(flag_op, *before, input[i], index);
    }
  }
  template <int ITEMS, class FlagT, class FlagOp>
  void flag_tails(FlagT (&tails)[ITEMS], T (&input)[ITEMS], const T* after_tile, FlagOp& flag_op) {
    for (int i = 0; i < ITEMS; ++i) {
      const T* after = i + 1 < ITEMS ? &input[i + 1] : edges_.after(after_tile);
      const int index = edges_.thread() * ITEMS + i + 1;
      tails[i] = after == nullptr ? 1 : differ(flag_op, input[i], *after, index);
    }
  }
  template <int ITEMS, class FlagT, class FlagOp>
  void flag_both(FlagT (&heads)[ITEMS], const T* before_tile, FlagT (&tails)[ITEMS],
                 const T* after_tile, T (&input)[ITEMS], FlagOp& flag_op) {
    edges_.share(input);
    flag_heads(heads, input, before_tile, flag_op);
    flag_tails(tails, input, after_tile, flag_op);
  }

  Edges edges_;
};

CUB_NAMESPACE_END
