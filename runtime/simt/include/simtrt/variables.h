// The built-in variables of a kernel: where the calling thread stands. CUDA C++ Programming Guide,
// "Built-in Variables".
//
// They belong to the worker (the thread of the operating system) that runs a block, and libsimt.so
// sets them before it lets a thread of the block run. The initial-exec model makes an access one
// load; the variables take 56 bytes of the room that the C library keeps for libraries that are
// loaded late.
#pragma once

#include <simt_vector_types.h>
#include <simtrt/config.h>

namespace simtrt {

#define SIMTRT_WORKER_VARIABLE \
  extern SIMTRT_EXPORT __attribute__((tls_model("initial-exec"))) __thread
SIMTRT_WORKER_VARIABLE uint3 threadIdx;
SIMTRT_WORKER_VARIABLE uint3 blockIdx;
SIMTRT_WORKER_VARIABLE dim3 blockDim;
SIMTRT_WORKER_VARIABLE dim3 gridDim;

}  // namespace simtrt

using simtrt::blockDim;
using simtrt::blockIdx;
using simtrt::gridDim;
using simtrt::threadIdx;

inline constexpr int warpSize = simtrt::kWarpSize;

/// Static shared memory: one copy for each worker, since a worker runs one block at a time.
#define __shared__ thread_local
