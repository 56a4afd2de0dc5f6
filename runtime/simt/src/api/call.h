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

/// Stores an error for simtGetLastError and returns it. simtErrorNotReady is no error and is not stored.
simtError_t remember(simtError_t error);

/// Permitted callers of a function besides the program's own threads.
enum class Callers {
  kHost,
  kHostAndKernels,  ///< part of CUDA's device runtime (Programming Guide, "CUDA Dynamic
                    ///< Parallelism")
};

/// simtErrorNotPermitted for a call from a function that a stream runs (CUDA Runtime API, cudaLaunchHostFunc and
/// cudaStreamAddCallback), and for a call from a kernel of a function that kernels may not call.
simtError_t check_caller(Callers allowed);

/// Runs `work`, which does not depend on the device's error state. No exception leaves the API.
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

/// Runs `work`, unless the current device has the error of a failed kernel.
template <Callers kAllowed = Callers::kHost, class WorkOfCall>
simtError_t call(WorkOfCall work) {
  return call_in_any_state<kAllowed>([&]() -> simtError_t {
    const simtError_t sticky = Device::current().sticky();
    return sticky != simtSuccess ? sticky : work();
  });
}

/// Runs `work(stream)`, likewise. Errors: simtErrorInvalidResourceHandle for an invalid handle.
template <Callers kAllowed = Callers::kHost, class WorkOfCall>
simtError_t with_stream(simtStream_t handle, WorkOfCall work) {
  return call<kAllowed>([&] {
    const std::shared_ptr<Stream> stream = find_stream(handle);
    return stream == nullptr ? simtErrorInvalidResourceHandle : work(stream);
  });
}

/// Error of the device after a wait, during which a kernel may have failed.
inline simtError_t outcome(const Device& device) { return device.sticky(); }

}  // namespace simtrt
