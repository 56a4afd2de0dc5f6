// What every function of the API does around its own work.
#pragma once

#include "process/state.h"
#include "streams/device.h"

#include <simt_runtime_api.h>

#include <new>

namespace simtrt {

/// Leaves an error for simtGetLastError; gives it back.
simtError_t remember(simtError_t error);

/// Does `work` unless the current device is left with the error of a kernel, or the process cannot use
/// the device. Exceptions do not leave the API.
template <class WorkOfCall>
simtError_t call(WorkOfCall work) {
  if (const simtError_t error = enter_process()) return remember(error);
  if (Device::count() == 0) return remember(simtErrorNoDevice);
  const simtError_t sticky = Device::current().sticky();
  if (sticky != simtSuccess) return remember(sticky);
  try {
    return remember(work());
  } catch (const std::bad_alloc&) {
    return remember(simtErrorMemoryAllocation);
  } catch (...) {
    return remember(simtErrorUnknown);
  }
}

/// Does `work(stream)` likewise. Errors: simtErrorInvalidResourceHandle for a handle that is none.
template <class WorkOfCall>
simtError_t with_stream(simtStream_t handle, WorkOfCall work) {
  return call([&] {
    const std::shared_ptr<Stream> stream = find_stream(handle);
    return stream == nullptr ? simtErrorInvalidResourceHandle : work(stream);
  });
}

/// The error of the device after waiting: a kernel may have failed meanwhile.
inline simtError_t outcome(const Device& device) { return device.sticky(); }

}  // namespace simtrt
