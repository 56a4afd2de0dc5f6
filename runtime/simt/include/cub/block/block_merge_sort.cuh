// cub::BlockMergeSort: a block sorts the keys of its threads by a comparison, optionally with values. Interface: CUDA
// 12.4, cub/block/block_merge_sort.cuh.
#pragma once

#include <simtrt/cub/merge_sort.h>

CUB_NAMESPACE_BEGIN

namespace detail {

struct WholeBlock {
  void sync() const { __syncthreads(); }
};

}  // namespace detail

/// detail::MergeSort (simtrt/cub/merge_sort.h) has the functions. TempStorage may be reused after a __syncthreads().
template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockMergeSort : public detail::MergeSort<detail::WholeBlock, BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z,
                                                KeyT, ITEMS_PER_THREAD, ValueT> {
  using Base = typename BlockMergeSort::MergeSort;

 public:
  using TempStorage = typename Base::TempStorage;

  BlockMergeSort() : BlockMergeSort(private_storage()) {}
  explicit BlockMergeSort(TempStorage& storage)
      : Base(storage, {}, RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
};

CUB_NAMESPACE_END
