// cub::BlockHistogram: numbers of equal items in the tile of a block. Interface: CUDA 12.4,
// cub/block/block_histogram.cuh.
#pragma once

#include <simtrt/cub/arrangement.h>

CUB_NAMESPACE_BEGIN

/// Both algorithms give the same counts.
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

/// Items are numbers of bins in [0, BINS). The histogram, in shared or global memory, is complete after a
/// __syncthreads().
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, int BINS,
          BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockHistogram {
 public:
  struct TempStorage : detail::NoStorage {};

  BlockHistogram() = default;
  explicit BlockHistogram(TempStorage&) {}

  template <class CounterT>
  void InitHistogram(CounterT histogram[BINS]) {
    constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    for (int bin = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z); bin < BINS; bin += kThreads) {
      histogram[bin] = 0;
    }
  }
  template <class CounterT>
  void Histogram(T (&items)[ITEMS_PER_THREAD], CounterT histogram[BINS]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
  /// Adds to the counts. The threads of a block run one after another, so that no addition is lost.
  template <class CounterT>
  void Composite(T (&items)[ITEMS_PER_THREAD], CounterT histogram[BINS]) {
    for (const T& item : items) histogram[static_cast<int>(item)] += 1;
  }
};

CUB_NAMESPACE_END
