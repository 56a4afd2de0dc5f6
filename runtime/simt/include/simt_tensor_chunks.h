// Work of a thread on a chunk of a list of tensors (PyTorch's MultiTensorApply.cuh).
//
// Sources that are compiled with SIMT_WIDE_CHUNKS, the fused optimizers, compute 16 values in a step, with the vectors that
// the processor has; all others compute 4, as CUDA's threads do. The port's patches (mappings/simt/launches.yaml) use these
// names.
#pragma once

#include <simt_runtime.h>
#include <simtrt/kernel/wide_vectors.h>

#include "simt_launch_sizes.h"

#ifdef SIMT_WIDE_CHUNKS
#define SIMT_VALUES_OF_STEP 16
#define SIMT_RUN_CHUNK(call) simtrt::with_wide_vectors([&] { call; })
#else
#define SIMT_VALUES_OF_STEP 4
#define SIMT_RUN_CHUNK(call) call
#endif
