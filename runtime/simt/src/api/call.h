// Code that every function of the API executes: checks of the process's state and of the caller,
// and storage of the last error.
//
// Ownership: each host thread has its own last error; in a kernel, each thread of the grid has one.
// Threads: any thread. Memory ordering: as in enter_process() (process/state.h) and
// Device::sticky() (streams/device.h).
#pragma once

#include "process/state.h"
#include "streams/device.h"

#include <simt_runtime_api.h>

#include <new>

namespace simtrt {

/// Stores an error for simtGetLastError and returns it. simtErrorNotReady is no error and is not stored.
simtError_t remember(simtError_t error);

/// Callers that a function permits in addition to the program's own threads.
enum class Callers {
  kHost,
  kHostAndKernels,    ///< part of CUDA's device runtime (Programming Guide, "CUDA Dynamic
                      ///< Parallelism")
  kHostAndFunctions,  ///< calls that CUDA's driver accepts from functions that streams run
  kAll,
};

/// Returns simtErrorNotPermitted in two cases: a function that a stream runs makes a call that needs the device (CUDA
/// Runtime API, cudaLaunchHostFunc and cudaStreamAddCallback), or a kernel calls a function that
/// kernels may not call.
simtError_t check_caller(Callers allowed);

/// Runs `work`, which does not depend on the device's state, even if the device has an error. No
/// exception leaves the API.
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

/// Runs `work`. If a kernel has failed on the current device, returns the kernel's error instead.
template <Callers kAllowed = Callers::kHost, class WorkOfCall>
simtError_t call(WorkOfCall work) {
  return call_in_any_state<kAllowed>([&]() -> simtError_t {
    const simtError_t sticky = Device::current().sticky();
    return sticky != simtSuccess ? sticky : work();
  });
}

/// Finds the stream of a handle and runs `work(stream)`. If a kernel has failed on the current
/// device, returns the kernel's error instead. Errors: simtErrorInvalidResourceHandle for an
/// invalid handle.
template <Callers kAllowed = Callers::kHost, class WorkOfCall>
simtError_t with_stream(simtStream_t handle, WorkOfCall work) {
  return call<kAllowed>([&] {
    const std::shared_ptr<Stream> stream = find_stream(handle);
    return stream == nullptr ? simtErrorInvalidResourceHandle : work(stream);
  });
}

/// Error of the device after a wait: a kernel may have failed during the wait.
inline simtError_t outcome(const Device& device) { return device.sticky(); }

}  // namespace simtrt
