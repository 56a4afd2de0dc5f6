// Built-in variables of a kernel: the position of the calling thread. CUDA C++ Programming Guide,
// "Built-in Variables".
//
// Ownership: each worker (a thread of the operating system) has a copy. libsimt.so writes the
// variables before a thread of the block runs; the loop over threads in launch.h advances
// threadIdx. In the initial-exec TLS model, an access is one load; the variables occupy 56 bytes of
// the static TLS space that the C library reserves for libraries loaded by dlopen.
// Threads: threads of a running kernel. Elsewhere the values have no meaning.
// Memory ordering: there are no atomics; each worker reads its own copy.
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

// 1 if the compiler plugin places static shared memory in the worker's memory; 0 if static shared
// memory is thread-local.
#define SIMT_SHARED_IN_WORKER 0
#if defined(__has_attribute)
#if __has_attribute(simt_shared)
#undef SIMT_SHARED_IN_WORKER
#define SIMT_SHARED_IN_WORKER 1
#endif
#endif

/// Static shared memory: one copy for each worker, because a worker runs one block at a time.
#if SIMT_SHARED_IN_WORKER
#define __shared__ thread_local __attribute__((simt_shared))
#else
#define __shared__ thread_local
#endif
