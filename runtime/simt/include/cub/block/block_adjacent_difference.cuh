// cub::BlockAdjacentDifference: differences of neighbouring items in the tile of a block. Interface: CUDA 12.4,
// cub/block/block_adjacent_difference.cuh.
#pragma once

#include <simtrt/cub/neighbours.h>

CUB_NAMESPACE_BEGIN

/// Items are in blocked arrangement. An item without a neighbour, and items from `valid_items` on, are copied.
/// TempStorage may be reused after a __syncthreads().
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockAdjacentDifference {
  using Edges = detail::Neighbours<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
  static constexpr int kAll = 0x7FFFFFFF;

 public:
  struct TempStorage : detail::Uninitialized<typename Edges::Storage> {};

  BlockAdjacentDifference() : BlockAdjacentDifference(private_storage()) {}
  explicit BlockAdjacentDifference(TempStorage& storage) : edges_(storage.Alias()) {}

  template <int ITEMS, class OutputType, class DifferenceOpT>
  void SubtractLeft(T (&input)[ITEMS], OutputType (&output)[ITEMS], DifferenceOpT difference_op) {
    left(input, output, difference_op, kAll, nullptr);
  }
  template <int ITEMS, class OutputT, class DifferenceOpT>
  void SubtractLeft(T (&input)[ITEMS], OutputT (&output)[ITEMS], DifferenceOpT difference_op,
                    T tile_predecessor_item) {
    left(input, output, difference_op, kAll, &tile_predecessor_item);
  }
  template <int ITEMS, class OutputType, class DifferenceOpT>
  void SubtractLeftPartialTile(T (&input)[ITEMS], OutputType (&output)[ITEMS],
                               DifferenceOpT difference_op, int valid_items) {
    left(input, output, difference_op, valid_items, nullptr);
  }
  template <int ITEMS, class OutputType, class DifferenceOpT>
  void SubtractLeftPartialTile(T (&input)[ITEMS], OutputType (&output)[ITEMS],
                               DifferenceOpT difference_op, int valid_items,
                               T tile_predecessor_item) {
    left(input, output, difference_op, valid_items, &tile_predecessor_item);
  }
  template <int ITEMS, class OutputT, class DifferenceOpT>
  void SubtractRight(T (&input)[ITEMS], OutputT (&output)[ITEMS], DifferenceOpT difference_op) {
    right(input, output, difference_op, kAll, nullptr);
  }
  template <int ITEMS, class OutputT, class DifferenceOpT>
  void SubtractRight(T (&input)[ITEMS], OutputT (&output)[ITEMS], DifferenceOpT difference_op,
                     T tile_successor_item) {
    right(input, output, difference_op, kAll, &tile_successor_item);
  }
  template <int ITEMS, class OutputT, class DifferenceOpT>
  void SubtractRightPartialTile(T (&input)[ITEMS], OutputT (&output)[ITEMS],
                                DifferenceOpT difference_op, int valid_items) {
    right(input, output, difference_op, valid_items, nullptr);
  }

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  // CUB passes references to variables, so that the operator may have parameters of type T&.
  template <class Op>
  static auto call(Op& op, T& item, T neighbour) {
    return op(item, neighbour);
  }

  // Both loops permit that the output is the input.
  template <int ITEMS, class Output, class Op>
  void left(T (&input)[ITEMS], Output (&output)[ITEMS], Op& op, int valid_items,
            const T* before_tile) {
    edges_.share(input);
    for (int i = ITEMS - 1; i >= 0; --i) {
      const T* before = i > 0 ? &input[i - 1] : edges_.before(before_tile);
      const bool valid = edges_.thread() * ITEMS + i < valid_items;
      output[i] = valid && before != nullptr ? static_cast<Output>(call(op, input[i], *before))
                                             : static_cast<Output>(input[i]);
    }
  }
  template <int ITEMS, class Output, class Op>
  void right(T (&input)[ITEMS], Output (&output)[ITEMS], Op& op, int valid_items,
             const T* after_tile) {
    edges_.share(input);
    for (int i = 0; i < ITEMS; ++i) {
      const T* after = i + 1 < ITEMS ? &input[i + 1] : edges_.after(after_tile);
      const bool valid = edges_.thread() * ITEMS + i < valid_items - 1;
      output[i] = valid && after != nullptr ? static_cast<Output>(call(op, input[i], *after))
                                            : static_cast<Output>(input[i]);
    }
  }

  Edges edges_;
};

CUB_NAMESPACE_END
