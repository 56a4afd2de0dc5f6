// Common frame of every function of the API: state of the process, permitted callers, last error.
//
// Ownership: the last error belongs to the calling thread, or in a kernel to the thread of the grid.
// Threads: any thread. Memory ordering: that of enter_process() (process/state.h) and
// Device::sticky() (streams/device.h).
#pragma once

#include "process/state.h"
#include "streams/device.h"

#include <simt_runtime_api.h>

#include <new>

namespace simtrt {

/// Leaves an error for simtGetLastError; gives it back. simtErrorNotReady is no error, and is not
/// left.
simtError_t remember(simtError_t error);

/// Who may make a call besides the program's own threads.
enum class Callers {
  kHost,
  kHostAndKernels,  ///< part of CUDA's device runtime (Programming Guide, "CUDA Dynamic
                    ///< Parallelism")
};

/// simtErrorNotPermitted for a function that a stream calls (CUDA Runtime API, cudaLaunchHostFunc
/// and cudaStreamAddCallback), and for a kernel that makes a call which is not for kernels.
simtError_t check_caller(Callers allowed);

/// Does `work`, which needs no device without errors. Exceptions do not leave the API.
template <Callers kAllowed = Callers::kHost, class WorkOfCall>
simtError_t call_in_any_state(WorkOfCall work) {
  if (const simtError_t error = enter_process()) return remember(error);
  if (Device::count() == 0) return remember(simtErrorNoDevice);
  if (const simtError_t error = check_caller(kAllowed)) return remember(error);
  try {
    return remember(work());
  } catch (const std::bad_alloc&) {
    return remember(simtErrorMemoryAllocation);
  } catch (...) {
    return remember(simtErrorUnknown);
  }
}

/// Does `work` likewise, unless the current device is left with the error of a kernel.
template <Callers kAllowed = Callers::kHost, class WorkOfCall>
simtError_t call(WorkOfCall work) {
  return call_in_any_state<kAllowed>([&]() -> simtError_t {
    const simtError_t sticky = Device::current().sticky();
    return sticky != simtSuccess ? sticky : work();
  });
}

/// Does `work(stream)` likewise. Errors: simtErrorInvalidResourceHandle for a handle that is none.
template <Callers kAllowed = Callers::kHost, class WorkOfCall>
simtError_t with_stream(simtStream_t handle, WorkOfCall work) {
  return call<kAllowed>([&] {
    const std::shared_ptr<Stream> stream = find_stream(handle);
    return stream == nullptr ? simtErrorInvalidResourceHandle : work(stream);
  });
}

/// The error of the device after waiting: a kernel may have failed meanwhile.
inline simtError_t outcome(const Device& device) { return device.sticky(); }

}  // namespace simtrt
