// simtDeviceGetAttribute: properties of a device by number. All attributes that are not listed are
// 0: this target has no textures, surfaces, clusters, sharing between processes, or PCIe.
#include "streams/device.h"

#include <climits>

namespace simtrt {

simtError_t Device::attribute(simtDeviceAttr attribute, int* value) const {
  if (attribute < simtDevAttrMaxThreadsPerBlock || attribute >= simtDevAttrMax)
    return simtErrorInvalidValue;
  const simtDeviceProp& own = properties_;
  switch (attribute) {
    case simtDevAttrMaxThreadsPerBlock: *value = own.maxThreadsPerBlock; break;
    case simtDevAttrMaxBlockDimX: *value = own.maxThreadsDim[0]; break;
    case simtDevAttrMaxBlockDimY: *value = own.maxThreadsDim[1]; break;
    case simtDevAttrMaxBlockDimZ: *value = own.maxThreadsDim[2]; break;
    case simtDevAttrMaxGridDimX: *value = own.maxGridSize[0]; break;
    case simtDevAttrMaxGridDimY: *value = own.maxGridSize[1]; break;
    case simtDevAttrMaxGridDimZ: *value = own.maxGridSize[2]; break;
    case simtDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(own.sharedMemPerBlock);
      break;
    case simtDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(own.sharedMemPerBlockOptin);
      break;
    case simtDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(own.sharedMemPerMultiprocessor);
      break;
    case simtDevAttrTotalConstantMemory: *value = static_cast<int>(own.totalConstMem); break;
    case simtDevAttrWarpSize: *value = own.warpSize; break;
    case simtDevAttrMaxPitch: *value = INT_MAX; break;
    case simtDevAttrMaxRegistersPerBlock: *value = own.regsPerBlock; break;
    case simtDevAttrMaxRegistersPerMultiprocessor: *value = own.regsPerMultiprocessor; break;
    case simtDevAttrClockRate: *value = own.clockRate; break;
    case simtDevAttrMemoryClockRate: *value = own.memoryClockRate; break;
    case simtDevAttrGlobalMemoryBusWidth: *value = own.memoryBusWidth; break;
    case simtDevAttrTextureAlignment: *value = static_cast<int>(own.textureAlignment); break;
    case simtDevAttrTexturePitchAlignment:
      *value = static_cast<int>(own.texturePitchAlignment);
      break;
    case simtDevAttrGpuOverlap: *value = 1; break;
    case simtDevAttrAsyncEngineCount: *value = own.asyncEngineCount; break;
    case simtDevAttrMultiProcessorCount: *value = own.multiProcessorCount; break;
    case simtDevAttrIntegrated: *value = own.integrated; break;
    case simtDevAttrCanMapHostMemory: *value = own.canMapHostMemory; break;
    case simtDevAttrComputeMode: *value = simtComputeModeDefault; break;
    case simtDevAttrConcurrentKernels: *value = own.concurrentKernels; break;
    case simtDevAttrPciDeviceId: *value = own.pciDeviceID; break;
    case simtDevAttrL2CacheSize: *value = own.l2CacheSize; break;
    case simtDevAttrMaxThreadsPerMultiProcessor: *value = own.maxThreadsPerMultiProcessor; break;
    case simtDevAttrMaxBlocksPerMultiprocessor: *value = own.maxBlocksPerMultiProcessor; break;
    case simtDevAttrUnifiedAddressing: *value = own.unifiedAddressing; break;
    case simtDevAttrComputeCapabilityMajor: *value = own.major; break;
    case simtDevAttrComputeCapabilityMinor: *value = own.minor; break;
    case simtDevAttrStreamPrioritiesSupported: *value = own.streamPrioritiesSupported; break;
    case simtDevAttrGlobalL1CacheSupported: *value = own.globalL1CacheSupported; break;
    case simtDevAttrLocalL1CacheSupported: *value = own.localL1CacheSupported; break;
    case simtDevAttrManagedMemory: *value = own.managedMemory; break;
    case simtDevAttrConcurrentManagedAccess: *value = own.concurrentManagedAccess; break;
    case simtDevAttrPageableMemoryAccess: *value = own.pageableMemoryAccess; break;
    case simtDevAttrPageableMemoryAccessUsesHostPageTables:
      *value = own.pageableMemoryAccessUsesHostPageTables;
      break;
    case simtDevAttrDirectManagedMemAccessFromHost:
      *value = own.directManagedMemAccessFromHost;
      break;
    case simtDevAttrHostNativeAtomicSupported: *value = own.hostNativeAtomicSupported; break;
    case simtDevAttrCanUseHostPointerForRegisteredMem:
      *value = own.canUseHostPointerForRegisteredMem;
      break;
    case simtDevAttrHostRegisterSupported: *value = own.hostRegisterSupported; break;
    case simtDevAttrHostRegisterReadOnlySupported: *value = 1; break;
    case simtDevAttrSingleToDoublePrecisionPerfRatio:
      *value = own.singleToDoublePrecisionPerfRatio;
      break;
    case simtDevAttrCooperativeLaunch: *value = own.cooperativeLaunch; break;
    case simtDevAttrMemoryPoolsSupported: *value = own.memoryPoolsSupported; break;
    case simtDevAttrIpcEventSupport: *value = own.ipcEventSupported; break;
    default: *value = 0; break;
  }
  return simtSuccess;
}

}  // namespace simtrt
