// Error codes of the device in thrust. Names: CUDA 12.4, thrust/system/cuda/error.h.
#pragma once

#include <thrust/system/error_code.h>
#include <thrust/system/system_error.h>

#include <string>

THRUST_NAMESPACE_BEGIN

namespace detail {

class DeviceErrors : public std::error_category {
 public:
  const char* name() const noexcept override { return "cuda"; }
  std::string message(int value) const override {
    const auto error = static_cast<simtError_t>(value);
    return std::string(simtGetErrorName(error)) + ": " + simtGetErrorString(error);
  }
};

}  // namespace detail

namespace system {

/// Category of the runtime's errors (simtError_t).
inline const std::error_category& cuda_category() {
  static const detail::DeviceErrors category;
  return category;
}

namespace cuda {
namespace errc {

enum errc_t {
  success = simtSuccess,
  cuda_runtime_unloading = simtErrorSimtrtUnloading,
  missing_configuration = simtErrorMissingConfiguration,
  memory_allocation = simtErrorMemoryAllocation,
  initialization_error = simtErrorInitializationError,
  launch_failure = simtErrorLaunchFailure,
  launch_timeout = simtErrorLaunchTimeout,
  launch_out_of_resources = simtErrorLaunchOutOfResources,
  invalid_device_function = simtErrorInvalidDeviceFunction,
  invalid_configuration = simtErrorInvalidConfiguration,
  invalid_device = simtErrorInvalidDevice,
  invalid_value = simtErrorInvalidValue,
  invalid_pitch_value = simtErrorInvalidPitchValue,
  invalid_symbol = simtErrorInvalidSymbol,
  map_buffer_object_failed = simtErrorMapBufferObjectFailed,
  unmap_buffer_object_failed = simtErrorUnmapBufferObjectFailed,
  invalid_texture = simtErrorInvalidTexture,
  invalid_texture_binding = simtErrorInvalidTextureBinding,
  invalid_channel_descriptor = simtErrorInvalidChannelDescriptor,
  invalid_memcpy_direction = simtErrorInvalidMemcpyDirection,
  invalid_filter_setting = simtErrorInvalidFilterSetting,
  invalid_norm_setting = simtErrorInvalidNormSetting,
  unknown = simtErrorUnknown,
  invalid_resource_handle = simtErrorInvalidResourceHandle,
  not_ready = simtErrorNotReady,
  insufficient_driver = simtErrorInsufficientDriver,
  set_on_active_process_error = simtErrorSetOnActiveProcess,
  no_device = simtErrorNoDevice,
  ecc_uncorrectable = simtErrorECCUncorrectable,
  shared_object_symbol_not_found = simtErrorSharedObjectSymbolNotFound,
  shared_object_init_failed = simtErrorSharedObjectInitFailed,
  unsupported_limit = simtErrorUnsupportedLimit,
  duplicate_variable_name = simtErrorDuplicateVariableName,
  duplicate_texture_name = simtErrorDuplicateTextureName,
  duplicate_surface_name = simtErrorDuplicateSurfaceName,
  devices_unavailable = simtErrorDevicesUnavailable,
  invalid_kernel_image = simtErrorInvalidKernelImage,
  no_kernel_image_for_device = simtErrorNoKernelImageForDevice,
  incompatible_driver_context = simtErrorIncompatibleDriverContext,
  peer_access_already_enabled = simtErrorPeerAccessAlreadyEnabled,
  peer_access_not_enabled = simtErrorPeerAccessNotEnabled,
  device_already_in_use = simtErrorDeviceAlreadyInUse,
  profiler_disabled = simtErrorProfilerDisabled,
  assert_triggered = simtErrorAssert,
  too_many_peers = simtErrorTooManyPeers,
  host_memory_already_registered = simtErrorHostMemoryAlreadyRegistered,
  host_memory_not_registered = simtErrorHostMemoryNotRegistered,
  operating_system_error = simtErrorOperatingSystem,
  peer_access_unsupported = simtErrorPeerAccessUnsupported,
  launch_max_depth_exceeded = simtErrorLaunchMaxDepthExceeded,
  launch_file_scoped_texture_used = simtErrorLaunchFileScopedTex,
  launch_file_scoped_surface_used = simtErrorLaunchFileScopedSurf,
  sync_depth_exceeded = simtErrorSyncDepthExceeded,
  attempted_operation_not_permitted = simtErrorNotPermitted,
  attempted_operation_not_supported = simtErrorNotSupported,
  startup_failure = simtErrorStartupFailure,
};

inline std::error_code make_error_code(errc_t error) {
  return {static_cast<int>(error), cuda_category()};
}
inline std::error_condition make_error_condition(errc_t error) {
  return {static_cast<int>(error), cuda_category()};
}

}  // namespace errc
}  // namespace cuda
}  // namespace system

namespace cuda {
namespace errc = system::cuda::errc;
}  // namespace cuda

using system::cuda_category;

THRUST_NAMESPACE_END

template <>
struct std::is_error_code_enum<THRUST_NS_QUALIFIER::system::cuda::errc::errc_t> : std::true_type {};
