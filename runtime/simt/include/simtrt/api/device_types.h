// Types of the runtime API for devices and for settings of kernels. Names, values and members are
// those of CUDA 12.4 (driver_types.h).
#pragma once

#include <cstddef>

/// Attributes of simtDeviceGetAttribute.
enum simtDeviceAttr {
  simtDevAttrMaxThreadsPerBlock = 1,
  simtDevAttrMaxBlockDimX = 2,
  simtDevAttrMaxBlockDimY = 3,
  simtDevAttrMaxBlockDimZ = 4,
  simtDevAttrMaxGridDimX = 5,
  simtDevAttrMaxGridDimY = 6,
  simtDevAttrMaxGridDimZ = 7,
  simtDevAttrMaxSharedMemoryPerBlock = 8,
  simtDevAttrTotalConstantMemory = 9,
  simtDevAttrWarpSize = 10,
  simtDevAttrMaxPitch = 11,
  simtDevAttrMaxRegistersPerBlock = 12,
  simtDevAttrClockRate = 13,
  simtDevAttrTextureAlignment = 14,
  simtDevAttrGpuOverlap = 15,
  simtDevAttrMultiProcessorCount = 16,
  simtDevAttrKernelExecTimeout = 17,
  simtDevAttrIntegrated = 18,
  simtDevAttrCanMapHostMemory = 19,
  simtDevAttrComputeMode = 20,
  simtDevAttrMaxTexture1DWidth = 21,
  simtDevAttrMaxTexture2DWidth = 22,
  simtDevAttrMaxTexture2DHeight = 23,
  simtDevAttrMaxTexture3DWidth = 24,
  simtDevAttrMaxTexture3DHeight = 25,
  simtDevAttrMaxTexture3DDepth = 26,
  simtDevAttrMaxTexture2DLayeredWidth = 27,
  simtDevAttrMaxTexture2DLayeredHeight = 28,
  simtDevAttrMaxTexture2DLayeredLayers = 29,
  simtDevAttrSurfaceAlignment = 30,
  simtDevAttrConcurrentKernels = 31,
  simtDevAttrEccEnabled = 32,
  simtDevAttrPciBusId = 33,
  simtDevAttrPciDeviceId = 34,
  simtDevAttrTccDriver = 35,
  simtDevAttrMemoryClockRate = 36,
  simtDevAttrGlobalMemoryBusWidth = 37,
  simtDevAttrL2CacheSize = 38,
  simtDevAttrMaxThreadsPerMultiProcessor = 39,
  simtDevAttrAsyncEngineCount = 40,
  simtDevAttrUnifiedAddressing = 41,
  simtDevAttrMaxTexture1DLayeredWidth = 42,
  simtDevAttrMaxTexture1DLayeredLayers = 43,
  simtDevAttrMaxTexture2DGatherWidth = 45,
  simtDevAttrMaxTexture2DGatherHeight = 46,
  simtDevAttrMaxTexture3DWidthAlt = 47,
  simtDevAttrMaxTexture3DHeightAlt = 48,
  simtDevAttrMaxTexture3DDepthAlt = 49,
  simtDevAttrPciDomainId = 50,
  simtDevAttrTexturePitchAlignment = 51,
  simtDevAttrMaxTextureCubemapWidth = 52,
  simtDevAttrMaxTextureCubemapLayeredWidth = 53,
  simtDevAttrMaxTextureCubemapLayeredLayers = 54,
  simtDevAttrMaxSurface1DWidth = 55,
  simtDevAttrMaxSurface2DWidth = 56,
  simtDevAttrMaxSurface2DHeight = 57,
  simtDevAttrMaxSurface3DWidth = 58,
  simtDevAttrMaxSurface3DHeight = 59,
  simtDevAttrMaxSurface3DDepth = 60,
  simtDevAttrMaxSurface1DLayeredWidth = 61,
  simtDevAttrMaxSurface1DLayeredLayers = 62,
  simtDevAttrMaxSurface2DLayeredWidth = 63,
  simtDevAttrMaxSurface2DLayeredHeight = 64,
  simtDevAttrMaxSurface2DLayeredLayers = 65,
  simtDevAttrMaxSurfaceCubemapWidth = 66,
  simtDevAttrMaxSurfaceCubemapLayeredWidth = 67,
  simtDevAttrMaxSurfaceCubemapLayeredLayers = 68,
  simtDevAttrMaxTexture1DLinearWidth = 69,
  simtDevAttrMaxTexture2DLinearWidth = 70,
  simtDevAttrMaxTexture2DLinearHeight = 71,
  simtDevAttrMaxTexture2DLinearPitch = 72,
  simtDevAttrMaxTexture2DMipmappedWidth = 73,
  simtDevAttrMaxTexture2DMipmappedHeight = 74,
  simtDevAttrComputeCapabilityMajor = 75,
  simtDevAttrComputeCapabilityMinor = 76,
  simtDevAttrMaxTexture1DMipmappedWidth = 77,
  simtDevAttrStreamPrioritiesSupported = 78,
  simtDevAttrGlobalL1CacheSupported = 79,
  simtDevAttrLocalL1CacheSupported = 80,
  simtDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  simtDevAttrMaxRegistersPerMultiprocessor = 82,
  simtDevAttrManagedMemory = 83,
  simtDevAttrIsMultiGpuBoard = 84,
  simtDevAttrMultiGpuBoardGroupID = 85,
  simtDevAttrHostNativeAtomicSupported = 86,
  simtDevAttrSingleToDoublePrecisionPerfRatio = 87,
  simtDevAttrPageableMemoryAccess = 88,
  simtDevAttrConcurrentManagedAccess = 89,
  simtDevAttrComputePreemptionSupported = 90,
  simtDevAttrCanUseHostPointerForRegisteredMem = 91,
  simtDevAttrReserved92 = 92,
  simtDevAttrReserved93 = 93,
  simtDevAttrReserved94 = 94,
  simtDevAttrCooperativeLaunch = 95,
  simtDevAttrCooperativeMultiDeviceLaunch = 96,
  simtDevAttrMaxSharedMemoryPerBlockOptin = 97,
  simtDevAttrCanFlushRemoteWrites = 98,
  simtDevAttrHostRegisterSupported = 99,
  simtDevAttrPageableMemoryAccessUsesHostPageTables = 100,
  simtDevAttrDirectManagedMemAccessFromHost = 101,
  simtDevAttrMaxBlocksPerMultiprocessor = 106,
  simtDevAttrMaxPersistingL2CacheSize = 108,
  simtDevAttrMaxAccessPolicyWindowSize = 109,
  simtDevAttrReservedSharedMemoryPerBlock = 111,
  simtDevAttrSparseSimtArraySupported = 112,
  simtDevAttrHostRegisterReadOnlySupported = 113,
  simtDevAttrTimelineSemaphoreInteropSupported = 114,
  simtDevAttrMaxTimelineSemaphoreInteropSupported = 114,
  simtDevAttrMemoryPoolsSupported = 115,
  simtDevAttrGPUDirectRDMASupported = 116,
  simtDevAttrGPUDirectRDMAFlushWritesOptions = 117,
  simtDevAttrGPUDirectRDMAWritesOrdering = 118,
  simtDevAttrMemoryPoolSupportedHandleTypes = 119,
  simtDevAttrClusterLaunch = 120,
  simtDevAttrDeferredMappingSimtArraySupported = 121,
  simtDevAttrReserved122 = 122,
  simtDevAttrReserved123 = 123,
  simtDevAttrReserved124 = 124,
  simtDevAttrIpcEventSupport = 125,
  simtDevAttrMemSyncDomainCount = 126,
  simtDevAttrReserved127 = 127,
  simtDevAttrReserved128 = 128,
  simtDevAttrReserved129 = 129,
  simtDevAttrNumaConfig = 130,
  simtDevAttrNumaId = 131,
  simtDevAttrReserved132 = 132,
  simtDevAttrMpsEnabled = 133,
  simtDevAttrHostNumaId = 134,
  simtDevAttrMax = 135,
};

/// Attributes of simtDeviceGetP2PAttribute.
enum simtDeviceP2PAttr {
  simtDevP2PAttrPerformanceRank = 1,
  simtDevP2PAttrAccessSupported = 2,
  simtDevP2PAttrNativeAtomicSupported = 3,
  simtDevP2PAttrSimtArrayAccessSupported = 4,
};

enum simtComputeMode {
  simtComputeModeDefault = 0,
  simtComputeModeExclusive = 1,
  simtComputeModeProhibited = 2,
  simtComputeModeExclusiveProcess = 3,
};

/// Limits of simtDeviceSetLimit and simtDeviceGetLimit, each in bytes or as a count.
enum simtLimit {
  simtLimitStackSize = 0,
  simtLimitPrintfFifoSize = 1,
  simtLimitMallocHeapSize = 2,
  simtLimitDevRuntimeSyncDepth = 3,
  simtLimitDevRuntimePendingLaunchCount = 4,
  simtLimitMaxL2FetchGranularity = 5,
  simtLimitPersistingL2CacheSize = 6,
};

/// Identifier of a device. The type has the driver API's name, but is defined here for code that
/// includes only the runtime API.
struct simtDrvUuid {
  char bytes[16];
};
typedef struct simtDrvUuid simtUUID_t;

/// Result of simtGetDeviceProperties. Sizes are in bytes, clock rates in kHz, the bus width in
/// bits.
struct simtDeviceProp {
  char name[256];
  simtUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem;
  std::size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  std::size_t totalConstMem;
  int major;
  int minor;
  std::size_t textureAlignment;
  std::size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  std::size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate;
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported;
  int sparseCudaArraySupported;
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported;
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
  int reserved2[2];
  int reserved1[1];
  int reserved[60];
};

/// Preference of a kernel for the division of memory between cache and shared memory; no effect on this target.
enum simtFuncCache {
  simtFuncCachePreferNone = 0,
  simtFuncCachePreferShared = 1,
  simtFuncCachePreferL1 = 2,
  simtFuncCachePreferEqual = 3,
};

/// Width of the banks of shared memory; this target has no banks.
enum simtSharedMemConfig {
  simtSharedMemBankSizeDefault = 0,
  simtSharedMemBankSizeFourByte = 1,
  simtSharedMemBankSizeEightByte = 2,
};

/// Special values of simtFuncAttributePreferredSharedMemoryCarveout; all other values are
/// percentages.
enum simtSharedCarveout {
  simtSharedmemCarveoutDefault = -1,
  simtSharedmemCarveoutMaxShared = 100,
  simtSharedmemCarveoutMaxL1 = 0,
};

/// Attributes of simtFuncSetAttribute.
enum simtFuncAttribute {
  simtFuncAttributeMaxDynamicSharedMemorySize = 8,
  simtFuncAttributePreferredSharedMemoryCarveout = 9,
  simtFuncAttributeClusterDimMustBeSet = 10,
  simtFuncAttributeRequiredClusterWidth = 11,
  simtFuncAttributeRequiredClusterHeight = 12,
  simtFuncAttributeRequiredClusterDepth = 13,
  simtFuncAttributeNonPortableClusterSizeAllowed = 14,
  simtFuncAttributeClusterSchedulingPolicyPreference = 15,
  simtFuncAttributeMax = 16,
};

/// Result of simtFuncGetAttributes for a kernel. Sizes are in bytes.
struct simtFuncAttributes {
  std::size_t sharedSizeBytes;
  std::size_t constSizeBytes;
  std::size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth;
  int requiredClusterHeight;
  int requiredClusterDepth;
  int clusterSchedulingPolicyPreference;
  int nonPortableClusterSizeAllowed;
  int reserved[16];
};

// Flags of simtSetDeviceFlags and simtInitDevice.
#define simtDeviceScheduleAuto 0x00
#define simtDeviceScheduleSpin 0x01
#define simtDeviceScheduleYield 0x02
#define simtDeviceScheduleBlockingSync 0x04
#define simtDeviceBlockingSync 0x04
#define simtDeviceScheduleMask 0x07
#define simtDeviceMapHost 0x08
#define simtDeviceLmemResizeToMax 0x10
#define simtDeviceSyncMemops 0x80
#define simtDeviceMask 0xff
#define simtInitDeviceFlagsAreValid 0x01

// Special device numbers: the host, and no device.
#define simtCpuDeviceId ((int)-1)
#define simtInvalidDeviceId ((int)-2)

#define simtPeerAccessDefault 0x00

// Flags of simtOccupancyMaxActiveBlocksPerMultiprocessorWithFlags.
#define simtOccupancyDefault 0x00
#define simtOccupancyDisableCachingOverride 0x01
