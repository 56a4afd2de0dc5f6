// The driver API. It uses the same internal functions as the runtime API, but stores no error for
// simtGetLastError.
#include "process/state.h"
#include "streams/device.h"
#include "api/driver_contexts.h"
#include "api/error_text.h"

#include <simt.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <vector>

/// The primary context of a device.
struct SIMTcontext_st {
  std::atomic<int> retains{0};
};

namespace {

using simtrt::Device;

std::vector<SIMTcontext_st>& contexts() {
  // Never destroyed: other threads may use the contexts while the process ends.
  static auto& all = *new std::vector<SIMTcontext_st>(static_cast<std::size_t>(Device::count()));
  return all;
}

SIMTcontext_st* context_of(int ordinal) {
  return Device::get(ordinal) == nullptr ? nullptr : &contexts()[static_cast<std::size_t>(ordinal)];
}

const char* name_of(simtDrvResult error) {
#define SIMTRT_NAME(error) \
  case error: return #error;
  switch (error) {
    SIMTRT_NAME(SIMT_DRV_SUCCESS)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_VALUE)
    SIMTRT_NAME(SIMT_DRV_ERROR_OUT_OF_MEMORY)
    SIMTRT_NAME(SIMT_DRV_ERROR_NOT_INITIALIZED)
    SIMTRT_NAME(SIMT_DRV_ERROR_DEINITIALIZED)
    SIMTRT_NAME(SIMT_DRV_ERROR_PROFILER_DISABLED)
    SIMTRT_NAME(SIMT_DRV_ERROR_PROFILER_NOT_INITIALIZED)
    SIMTRT_NAME(SIMT_DRV_ERROR_PROFILER_ALREADY_STARTED)
    SIMTRT_NAME(SIMT_DRV_ERROR_PROFILER_ALREADY_STOPPED)
    SIMTRT_NAME(SIMT_DRV_ERROR_STUB_LIBRARY)
    SIMTRT_NAME(SIMT_DRV_ERROR_DEVICE_UNAVAILABLE)
    SIMTRT_NAME(SIMT_DRV_ERROR_NO_DEVICE)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_DEVICE)
    SIMTRT_NAME(SIMT_DRV_ERROR_DEVICE_NOT_LICENSED)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_IMAGE)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_CONTEXT)
    SIMTRT_NAME(SIMT_DRV_ERROR_CONTEXT_ALREADY_CURRENT)
    SIMTRT_NAME(SIMT_DRV_ERROR_MAP_FAILED)
    SIMTRT_NAME(SIMT_DRV_ERROR_UNMAP_FAILED)
    SIMTRT_NAME(SIMT_DRV_ERROR_ARRAY_IS_MAPPED)
    SIMTRT_NAME(SIMT_DRV_ERROR_ALREADY_MAPPED)
    SIMTRT_NAME(SIMT_DRV_ERROR_NO_BINARY_FOR_GPU)
    SIMTRT_NAME(SIMT_DRV_ERROR_ALREADY_ACQUIRED)
    SIMTRT_NAME(SIMT_DRV_ERROR_NOT_MAPPED)
    SIMTRT_NAME(SIMT_DRV_ERROR_NOT_MAPPED_AS_ARRAY)
    SIMTRT_NAME(SIMT_DRV_ERROR_NOT_MAPPED_AS_POINTER)
    SIMTRT_NAME(SIMT_DRV_ERROR_ECC_UNCORRECTABLE)
    SIMTRT_NAME(SIMT_DRV_ERROR_UNSUPPORTED_LIMIT)
    SIMTRT_NAME(SIMT_DRV_ERROR_CONTEXT_ALREADY_IN_USE)
    SIMTRT_NAME(SIMT_DRV_ERROR_PEER_ACCESS_UNSUPPORTED)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_PTX)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_GRAPHICS_CONTEXT)
    SIMTRT_NAME(SIMT_DRV_ERROR_NVLINK_UNCORRECTABLE)
    SIMTRT_NAME(SIMT_DRV_ERROR_JIT_COMPILER_NOT_FOUND)
    SIMTRT_NAME(SIMT_DRV_ERROR_UNSUPPORTED_PTX_VERSION)
    SIMTRT_NAME(SIMT_DRV_ERROR_JIT_COMPILATION_DISABLED)
    SIMTRT_NAME(SIMT_DRV_ERROR_UNSUPPORTED_EXEC_AFFINITY)
    SIMTRT_NAME(SIMT_DRV_ERROR_UNSUPPORTED_DEVSIDE_SYNC)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_SOURCE)
    SIMTRT_NAME(SIMT_DRV_ERROR_FILE_NOT_FOUND)
    SIMTRT_NAME(SIMT_DRV_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND)
    SIMTRT_NAME(SIMT_DRV_ERROR_SHARED_OBJECT_INIT_FAILED)
    SIMTRT_NAME(SIMT_DRV_ERROR_OPERATING_SYSTEM)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_HANDLE)
    SIMTRT_NAME(SIMT_DRV_ERROR_ILLEGAL_STATE)
    SIMTRT_NAME(SIMT_DRV_ERROR_LOSSY_QUERY)
    SIMTRT_NAME(SIMT_DRV_ERROR_NOT_FOUND)
    SIMTRT_NAME(SIMT_DRV_ERROR_NOT_READY)
    SIMTRT_NAME(SIMT_DRV_ERROR_ILLEGAL_ADDRESS)
    SIMTRT_NAME(SIMT_DRV_ERROR_LAUNCH_OUT_OF_RESOURCES)
    SIMTRT_NAME(SIMT_DRV_ERROR_LAUNCH_TIMEOUT)
    SIMTRT_NAME(SIMT_DRV_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING)
    SIMTRT_NAME(SIMT_DRV_ERROR_PEER_ACCESS_ALREADY_ENABLED)
    SIMTRT_NAME(SIMT_DRV_ERROR_PEER_ACCESS_NOT_ENABLED)
    SIMTRT_NAME(SIMT_DRV_ERROR_PRIMARY_CONTEXT_ACTIVE)
    SIMTRT_NAME(SIMT_DRV_ERROR_CONTEXT_IS_DESTROYED)
    SIMTRT_NAME(SIMT_DRV_ERROR_ASSERT)
    SIMTRT_NAME(SIMT_DRV_ERROR_TOO_MANY_PEERS)
    SIMTRT_NAME(SIMT_DRV_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
    SIMTRT_NAME(SIMT_DRV_ERROR_HOST_MEMORY_NOT_REGISTERED)
    SIMTRT_NAME(SIMT_DRV_ERROR_HARDWARE_STACK_ERROR)
    SIMTRT_NAME(SIMT_DRV_ERROR_ILLEGAL_INSTRUCTION)
    SIMTRT_NAME(SIMT_DRV_ERROR_MISALIGNED_ADDRESS)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_ADDRESS_SPACE)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_PC)
    SIMTRT_NAME(SIMT_DRV_ERROR_LAUNCH_FAILED)
    SIMTRT_NAME(SIMT_DRV_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
    SIMTRT_NAME(SIMT_DRV_ERROR_NOT_PERMITTED)
    SIMTRT_NAME(SIMT_DRV_ERROR_NOT_SUPPORTED)
    SIMTRT_NAME(SIMT_DRV_ERROR_SYSTEM_NOT_READY)
    SIMTRT_NAME(SIMT_DRV_ERROR_SYSTEM_DRIVER_MISMATCH)
    SIMTRT_NAME(SIMT_DRV_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE)
    SIMTRT_NAME(SIMT_DRV_ERROR_MPS_CONNECTION_FAILED)
    SIMTRT_NAME(SIMT_DRV_ERROR_MPS_RPC_FAILURE)
    SIMTRT_NAME(SIMT_DRV_ERROR_MPS_SERVER_NOT_READY)
    SIMTRT_NAME(SIMT_DRV_ERROR_MPS_MAX_CLIENTS_REACHED)
    SIMTRT_NAME(SIMT_DRV_ERROR_MPS_MAX_CONNECTIONS_REACHED)
    SIMTRT_NAME(SIMT_DRV_ERROR_MPS_CLIENT_TERMINATED)
    SIMTRT_NAME(SIMT_DRV_ERROR_CDP_NOT_SUPPORTED)
    SIMTRT_NAME(SIMT_DRV_ERROR_CDP_VERSION_MISMATCH)
    SIMTRT_NAME(SIMT_DRV_ERROR_STREAM_CAPTURE_UNSUPPORTED)
    SIMTRT_NAME(SIMT_DRV_ERROR_STREAM_CAPTURE_INVALIDATED)
    SIMTRT_NAME(SIMT_DRV_ERROR_STREAM_CAPTURE_MERGE)
    SIMTRT_NAME(SIMT_DRV_ERROR_STREAM_CAPTURE_UNMATCHED)
    SIMTRT_NAME(SIMT_DRV_ERROR_STREAM_CAPTURE_UNJOINED)
    SIMTRT_NAME(SIMT_DRV_ERROR_STREAM_CAPTURE_ISOLATION)
    SIMTRT_NAME(SIMT_DRV_ERROR_STREAM_CAPTURE_IMPLICIT)
    SIMTRT_NAME(SIMT_DRV_ERROR_CAPTURED_EVENT)
    SIMTRT_NAME(SIMT_DRV_ERROR_STREAM_CAPTURE_WRONG_THREAD)
    SIMTRT_NAME(SIMT_DRV_ERROR_TIMEOUT)
    SIMTRT_NAME(SIMT_DRV_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
    SIMTRT_NAME(SIMT_DRV_ERROR_EXTERNAL_DEVICE)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_CLUSTER_SIZE)
    SIMTRT_NAME(SIMT_DRV_ERROR_FUNCTION_NOT_LOADED)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_RESOURCE_TYPE)
    SIMTRT_NAME(SIMT_DRV_ERROR_INVALID_RESOURCE_CONFIGURATION)
    SIMTRT_NAME(SIMT_DRV_ERROR_UNKNOWN)
  }
#undef SIMTRT_NAME
  return nullptr;
}

const char* text_of(simtDrvResult error) {
  switch (error) {
    // Errors that the runtime API lacks.
    case SIMT_DRV_ERROR_CONTEXT_ALREADY_CURRENT: return "context already current";
    case SIMT_DRV_ERROR_FUNCTION_NOT_LOADED: return "function is not loaded";
    case SIMT_DRV_ERROR_INVALID_RESOURCE_TYPE: return "invalid type of resource";
    case SIMT_DRV_ERROR_INVALID_RESOURCE_CONFIGURATION:
      return "invalid configuration of a resource";
    default:
      // The runtime API has errors that the driver API lacks.
      if (name_of(error) == nullptr) return nullptr;
      return simtrt::error_text(static_cast<simtError_t>(error)).text;
  }
}

/// Errors of a process that cannot use the device have the same numbers in both APIs.
simtDrvResult enter() { return static_cast<simtDrvResult>(simtrt::enter_process()); }

simtDrvResult give(const char** to, const char* text) {
  if (to == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  *to = text;
  return text != nullptr ? SIMT_DRV_SUCCESS : SIMT_DRV_ERROR_INVALID_VALUE;
}

}  // namespace

int simtrt::device_of(simtDrvContext context) {
  if (enter() != SIMT_DRV_SUCCESS || context == nullptr) return -1;
  for (int ordinal = 0; ordinal < Device::count(); ++ordinal)
    if (context == context_of(ordinal)) return ordinal;
  return -1;
}

simtDrvResult simtDrvGetErrorString(simtDrvResult error, const char** text) {
  return give(text, text_of(error));
}

simtDrvResult simtDrvGetErrorName(simtDrvResult error, const char** name) {
  return give(name, name_of(error));
}

simtDrvResult simtDrvInit(unsigned flags) {
  if (const simtDrvResult error = enter()) return error;
  if (flags != 0) return SIMT_DRV_ERROR_INVALID_VALUE;
  return Device::count() > 0 ? SIMT_DRV_SUCCESS : SIMT_DRV_ERROR_NO_DEVICE;
}

simtDrvResult simtDrvDriverGetVersion(int* version) {
  if (version == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  *version = SIMT_COMPAT_VERSION;
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvDeviceGet(simtDrvDevice* device, int ordinal) {
  if (const simtDrvResult error = enter()) return error;
  if (device == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (Device::get(ordinal) == nullptr) return SIMT_DRV_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvDeviceGetCount(int* count) {
  if (const simtDrvResult error = enter()) return error;
  if (count == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  *count = Device::count();
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvDeviceGetName(char* name, int length, simtDrvDevice device) {
  if (const simtDrvResult error = enter()) return error;
  if (name == nullptr || length <= 0) return SIMT_DRV_ERROR_INVALID_VALUE;
  const Device* found = Device::get(device);
  if (found == nullptr) return SIMT_DRV_ERROR_INVALID_DEVICE;
  std::snprintf(name, static_cast<std::size_t>(length), "%s", found->properties().name);
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvDevicePrimaryCtxRetain(simtDrvContext* context, simtDrvDevice device) {
  if (const simtDrvResult error = enter()) return error;
  if (context == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  SIMTcontext_st* found = context_of(device);
  if (found == nullptr) return SIMT_DRV_ERROR_INVALID_DEVICE;
  ++found->retains;
  *context = found;
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvDevicePrimaryCtxRelease(simtDrvDevice device) {
  if (const simtDrvResult error = enter()) return error;
  SIMTcontext_st* found = context_of(device);
  if (found == nullptr) return SIMT_DRV_ERROR_INVALID_DEVICE;
  int retains = found->retains;
  do {
    if (retains == 0) return SIMT_DRV_ERROR_INVALID_CONTEXT;
  } while (!found->retains.compare_exchange_weak(retains, retains - 1));
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvDevicePrimaryCtxGetState(simtDrvDevice device, unsigned* flags, int* active) {
  if (const simtDrvResult error = enter()) return error;
  if (flags == nullptr || active == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  const Device* found = Device::get(device);
  if (found == nullptr) return SIMT_DRV_ERROR_INVALID_DEVICE;
  *flags = found->flags;
  *active = 1;
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvCtxSetCurrent(simtDrvContext context) {
  if (const simtDrvResult error = enter()) return error;
  if (context == nullptr) return SIMT_DRV_ERROR_NOT_SUPPORTED;
  const int ordinal = simtrt::device_of(context);
  if (ordinal < 0) return SIMT_DRV_ERROR_INVALID_CONTEXT;
  Device::set_current(ordinal);
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvCtxGetCurrent(simtDrvContext* context) {
  if (const simtDrvResult error = enter()) return error;
  if (context == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  *context = context_of(Device::current_ordinal());
  return *context != nullptr ? SIMT_DRV_SUCCESS : SIMT_DRV_ERROR_NO_DEVICE;
}
