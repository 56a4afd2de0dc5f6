// Launches with attributes: simtLaunchKernelEx. Names and values: CUDA 12.4, driver_types.h and cuda_runtime.h.
#pragma once

#include <simt_runtime.h>
#include <simt_stream_attributes.h>

#include <cstddef>
#include <utility>

struct simtLaunchAttribute {
  simtLaunchAttributeID id;
  char pad[8 - sizeof(simtLaunchAttributeID)];
  simtLaunchAttributeValue val;
};

struct simtLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
  simtStream_t stream;
  simtLaunchAttribute* attrs;
  unsigned numAttrs;
};

namespace simtrt {

/// Tests the attributes of a launch and stores whether it is cooperative. Hints and permissions (priority, window, overlap with
/// the launch before) have no effect. Errors: simtErrorNotSupported for clusters of several blocks, and for other attributes.
SIMTRT_EXPORT simtError_t read_attributes(const simtLaunchConfig_t* config, bool* cooperative) noexcept;

}  // namespace simtrt

extern "C" {

/// Like simtLaunchKernel and simtLaunchCooperativeKernel, with the settings of `config`.
SIMTRT_EXPORT simtError_t simtLaunchKernelExC(const simtLaunchConfig_t* config, const void* kernel, void** arguments);

}  // extern "C"

/// Launches a kernel with arguments, which are converted to the types of its parameters.
template <class... Parameters, class... Arguments>
simtError_t simtLaunchKernelEx(const simtLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  bool cooperative = false;
  if (const simtError_t error = simtrt::read_attributes(config, &cooperative)) return error;
  return [&](Parameters... values) {
    void* addresses[] = {const_cast<void*>(static_cast<const void*>(&values))..., nullptr};
    return simtrt::launch_function(kernel, {config->gridDim, config->blockDim, config->dynamicSmemBytes}, addresses,
                                   config->stream, cooperative);
  }(std::forward<Arguments>(arguments)...);
}

/// In a kernel: waits for launches that this launch may overlap, and permits later launches to begin. Launches of a stream do not
/// overlap, so that both do nothing.
inline void simtGridDependencySynchronize() {}
inline void simtTriggerProgrammaticLaunchCompletion() {}
