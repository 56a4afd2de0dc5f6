// cub::BlockRakingLayout: shared memory with one item of each thread of a block, which the threads
// of one warp read in segments. Interface: CUDA 12.4, cub/block/block_raking_layout.cuh.
#pragma once

#include <simtrt/cub/thread.h>

CUB_NAMESPACE_BEGIN

/// Layout without padding, because memory of the host has no banks.
template <class T, int BLOCK_THREADS, int LEGACY_PTX_ARCH = 0>
struct BlockRakingLayout {
  enum {
    SHARED_ELEMENTS = BLOCK_THREADS,
    MAX_RAKING_THREADS = BLOCK_THREADS < simtrt::kWarpSize ? BLOCK_THREADS : simtrt::kWarpSize,
    /// Number of items that a raking thread reads.
    SEGMENT_LENGTH = (SHARED_ELEMENTS + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS,
    RAKING_THREADS = (SHARED_ELEMENTS + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH,
    GRID_ELEMENTS = RAKING_THREADS * SEGMENT_LENGTH,
    /// True if all segments are complete.
    UNGUARDED = SHARED_ELEMENTS % RAKING_THREADS == 0,
  };

  struct _TempStorage {
    T buff[GRID_ELEMENTS];
  };
  struct TempStorage : detail::Uninitialized<_TempStorage> {};

  /// Place of the item of thread `linear_tid`.
  static T* PlacementPtr(TempStorage& storage, unsigned int linear_tid) {
    return storage.Alias().buff + linear_tid;
  }
  /// Segment of raking thread `linear_tid`.
  static T* RakingPtr(TempStorage& storage, unsigned int linear_tid) {
    return storage.Alias().buff + linear_tid * SEGMENT_LENGTH;
  }
};

CUB_NAMESPACE_END
