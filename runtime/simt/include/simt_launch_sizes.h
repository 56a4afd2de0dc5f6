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

}  // namespace simtrt
