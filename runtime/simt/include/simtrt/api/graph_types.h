// Types of the runtime API for captures and graphs. Names and values are those of CUDA 12.4
// (driver_types.h).
#pragma once

#include <simt_vector_types.h>
#include <simtrt/api/memory_types.h>

#include <cstddef>

typedef struct SIMTgraph_st* simtGraph_t;
typedef struct SIMTgraphExec_st* simtGraphExec_t;
typedef struct SIMTgraphNode_st* simtGraphNode_t;

enum simtStreamCaptureStatus {
  simtStreamCaptureStatusNone = 0,
  simtStreamCaptureStatusActive = 1,
  simtStreamCaptureStatusInvalidated = 2,
};

/// Threads whose unsafe calls invalidate a capture (simtStreamBeginCapture).
enum simtStreamCaptureMode {
  simtStreamCaptureModeGlobal = 0,
  simtStreamCaptureModeThreadLocal = 1,
  simtStreamCaptureModeRelaxed = 2,
};

enum simtGraphNodeType {
  simtGraphNodeTypeKernel = 0,
  simtGraphNodeTypeMemcpy = 1,
  simtGraphNodeTypeMemset = 2,
  simtGraphNodeTypeHost = 3,
  simtGraphNodeTypeGraph = 4,
  simtGraphNodeTypeEmpty = 5,
  simtGraphNodeTypeWaitEvent = 6,
  simtGraphNodeTypeEventRecord = 7,
  simtGraphNodeTypeExtSemaphoreSignal = 8,
  simtGraphNodeTypeExtSemaphoreWait = 9,
  simtGraphNodeTypeMemAlloc = 10,
  simtGraphNodeTypeMemFree = 11,
  simtGraphNodeTypeConditional = 13,
  simtGraphNodeTypeCount = 14,
};

/// Bits for simtGraphInstantiateWithFlags.
enum simtGraphInstantiateFlags {
  simtGraphInstantiateFlagAutoFreeOnLaunch = 1,
  simtGraphInstantiateFlagUpload = 2,
  simtGraphInstantiateFlagDeviceLaunch = 4,
  simtGraphInstantiateFlagUseNodePriority = 8,
};

/// Bits for simtGraphDebugDotPrint: properties of the nodes to print in addition to their names.
enum simtGraphDebugDotFlags {
  simtGraphDebugDotFlagsVerbose = 1,
  simtGraphDebugDotFlagsKernelNodeParams = 4,
  simtGraphDebugDotFlagsMemcpyNodeParams = 8,
  simtGraphDebugDotFlagsMemsetNodeParams = 16,
  simtGraphDebugDotFlagsHostNodeParams = 32,
  simtGraphDebugDotFlagsEventNodeParams = 64,
  simtGraphDebugDotFlagsExtSemasSignalNodeParams = 128,
  simtGraphDebugDotFlagsExtSemasWaitNodeParams = 256,
  simtGraphDebugDotFlagsKernelNodeAttributes = 512,
  simtGraphDebugDotFlagsHandles = 1024,
  simtGraphDebugDotFlagsConditionalNodeParams = 32768,
};

/// Parameters of a kernel node. `func` is the kernel's address. `kernelParams` contains the addresses
/// of its arguments, which the node copies. `extra` must be null.
struct simtKernelNodeParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};

/// Parameters of a memset node: `height` rows of `width` elements of 1, 2 or 4 bytes. Rows begin
/// `pitch` bytes apart.
struct simtMemsetParams {
  void* dst;
  std::size_t pitch;
  unsigned value;
  unsigned elementSize;
  std::size_t width;
  std::size_t height;
};

struct simtHostNodeParams {
  void (*fn)(void* data);
  void* userData;
};

/// Parameters of an allocation node. simtGraphAddMemAllocNode writes the address to `dptr`.
struct simtMemAllocNodeParams {
  simtMemPoolProps poolProps;
  const simtMemAccessDesc* accessDescs;
  std::size_t accessDescCount;
  std::size_t bytesize;
  void* dptr;
};

/// Result of simtGraphExecUpdate.
enum simtGraphExecUpdateResult {
  simtGraphExecUpdateSuccess = 0,
  simtGraphExecUpdateError = 1,
  simtGraphExecUpdateErrorTopologyChanged = 2,
  simtGraphExecUpdateErrorNodeTypeChanged = 3,
  simtGraphExecUpdateErrorFunctionChanged = 4,
  simtGraphExecUpdateErrorParametersChanged = 5,
  simtGraphExecUpdateErrorNotSupported = 6,
  simtGraphExecUpdateErrorUnsupportedFunctionChange = 7,
  simtGraphExecUpdateErrorAttributesChanged = 8,
};

typedef struct simtGraphExecUpdateResultInfo_st {
  simtGraphExecUpdateResult result;
  simtGraphNode_t errorNode;      ///< node of the new graph that differs, or null
  simtGraphNode_t errorFromNode;  ///< always null
} simtGraphExecUpdateResultInfo;

enum simtGraphInstantiateResult {
  simtGraphInstantiateSuccess = 0,
  simtGraphInstantiateError = 1,
  simtGraphInstantiateInvalidStructure = 2,
  simtGraphInstantiateNodeOperationNotSupported = 3,
  simtGraphInstantiateMultipleDevicesNotSupported = 4,
};

typedef struct simtGraphInstantiateParams_st {
  unsigned long long flags;
  struct SIMTstream_st* uploadStream;
  simtGraphNode_t errNode_out;
  simtGraphInstantiateResult result_out;
} simtGraphInstantiateParams;
