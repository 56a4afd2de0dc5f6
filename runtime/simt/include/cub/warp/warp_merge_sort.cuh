// cub::WarpMergeSort: a warp sorts the keys of its lanes by a comparison, optionally with values.
// Interface: CUDA 12.4, cub/warp/warp_merge_sort.cuh and cub/block/block_merge_sort.cuh.
#pragma once

#include <simtrt/cub/merge_sort.h>

CUB_NAMESPACE_BEGIN

/// detail::MergeSort (simtrt/cub/merge_sort.h) has the functions. TempStorage, one for each logical warp, may be
/// reused after a __syncwarp().
template <class KeyT, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = simtrt::kWarpSize,
          class ValueT = NullType, int PTX_ARCH = 0>
class WarpMergeSort : public detail::MergeSort<detail::LogicalWarp<LOGICAL_WARP_THREADS>, LOGICAL_WARP_THREADS,
                                               KeyT, ITEMS_PER_THREAD, ValueT> {
  using Group = detail::LogicalWarp<LOGICAL_WARP_THREADS>;
  using Base = typename WarpMergeSort::MergeSort;

 public:
  using TempStorage = typename Base::TempStorage;

  explicit WarpMergeSort(TempStorage& storage) : WarpMergeSort(storage, Group()) {}

  simtrt::lanemask_t get_member_mask() const { return this->group().mask(); }

 private:
  WarpMergeSort(TempStorage& storage, const Group& warp) : Base(storage, warp, warp.lane()) {}
};

CUB_NAMESPACE_END
