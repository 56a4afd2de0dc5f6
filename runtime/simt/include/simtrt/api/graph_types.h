// Types of the runtime API for captures and graphs. Names and values are those of CUDA 12.4
// (driver_types.h).
#pragma once

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
