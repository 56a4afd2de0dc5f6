// Sizes of launches that suit a host, for kernels with barriers.
//
// A GPU hides its memory's latency with many threads; on a host, each thread of a block costs its start and a switch for
// each barrier and shuffle. PyTorch's kernels whose threads share the work of a row are as right with few threads. The
// port's patches (mappings/simt/launches.yaml) ask here for the numbers.
#pragma once

#include "simtrt/config.h"

namespace simtrt {

/// True if launches keep the sizes that CUDA gets: with the environment variable SIMT_LAUNCH_SIZES=cuda, and while kernels
/// are checked (SIMT_CHECK) or run in another order (SIMT_SCHEDULE), because a fault may show only between the warps of a
/// block.
SIMTRT_EXPORT bool launches_as_cuda();

/// Number of threads of a block: `few`, or `cuda` if launches keep CUDA's sizes or `cuda` is less.
inline int block_threads(int cuda, int few = kWarpSize) { return launches_as_cuda() || cuda < few ? cuda : few; }

/// Largest number of values that one thread adds up in single precision, where CUDA has several threads for a row. The
/// error of a running mean or variance grows with this number: after 2048 values it is about 1e-6.
inline constexpr long long kValuesOfThread = 2048;

/// True if a warp is too small for the sums of a row of `length` values, so that blocks keep CUDA's sizes.
inline bool is_long_row(long long length) { return launches_as_cuda() || length > kValuesOfThread * kWarpSize; }

/// Number of threads that share a row of `length` values: one for a short row, a warp for a longer one, `cuda` for a long
/// one.
inline int row_threads(int cuda, long long length) {
  return is_long_row(length) ? cuda : block_threads(cuda, length > kValuesOfThread ? kWarpSize : 1);
}

/// Number of threads that share a row of vectors of four values, which a reduction reads: four for a short row. They read the
/// values before the first whole vector.
inline long long vector_threads(long long vectors) {
  constexpr int kFew = 4;
  return launches_as_cuda() || vectors < kFew || vectors > kFew * kValuesOfThread ? vectors : kFew;
}

/// True if the threads of a reduction have too many values each for one block: the threads have several sums each, so that
/// the limit is higher.
inline bool is_long_sum(long long values_of_thread) { return launches_as_cuda() || values_of_thread > 16 * kValuesOfThread; }

}  // namespace simtrt
