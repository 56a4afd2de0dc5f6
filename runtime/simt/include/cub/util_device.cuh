// Facts about devices and streams. Interface: CUDA 12.4, cub/util_device.cuh.
#pragma once

#include <cub/util_arch.cuh>

#include <cstddef>

CUB_NAMESPACE_BEGIN

/// Number of devices; -1 after an error.
inline int DeviceCount() {
  int count = -1;
  return simtGetDeviceCount(&count) == simtSuccess ? count : -1;
}

/// Number of the current device; -1 after an error.
inline int CurrentDevice() {
  int device = -1;
  return simtGetDevice(&device) == simtSuccess ? device : -1;
}

/// Compute capability of a device, times 100.
inline simtError_t SmVersion(int& sm_version, int device = CurrentDevice()) {
  int major = 0;
  int minor = 0;
  simtError_t error = simtDeviceGetAttribute(&major, simtDevAttrComputeCapabilityMajor, device);
  if (error != simtSuccess) return error;
  error = simtDeviceGetAttribute(&minor, simtDevAttrComputeCapabilityMinor, device);
  sm_version = major * 100 + minor * 10;
  return error;
}

/// Version for which kernels are compiled; the same as that of the device.
inline simtError_t PtxVersion(int& ptx_version, int device) {
  return SmVersion(ptx_version, device);
}
inline simtError_t PtxVersion(int& ptx_version) { return SmVersion(ptx_version); }

inline simtError_t SyncStream(simtStream_t stream) { return simtStreamSynchronize(stream); }

/// Sets `max_sm_occupancy` to the number of blocks of a kernel that a multiprocessor runs at once.
template <class KernelPtr>
simtError_t MaxSmOccupancy(int& max_sm_occupancy, KernelPtr kernel_ptr, int block_threads,
                           int dynamic_smem_bytes = 0) {
  return simtOccupancyMaxActiveBlocksPerMultiprocessor(
      &max_sm_occupancy, kernel_ptr, block_threads, static_cast<std::size_t>(dynamic_smem_bytes));
}

CUB_NAMESPACE_END
