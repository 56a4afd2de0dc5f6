// Functions of the driver API about streams: memory in the order of a stream, captures, graphs. They do the same as functions of the
// runtime API. simt_driver.h includes this header. Names and values are those of CUDA 12.4 (cuda.h).
#pragma once

#include <simt.h>
#include <simtrt/api/driver_virtual_memory.h>

typedef simtHostFn_t simtDrvHostFn;
typedef simtMemPool_t simtDrvMemoryPool;
typedef simtGraph_t simtDrvGraph;
typedef simtGraphExec_t simtDrvGraphExec;
typedef simtGraphNode_t simtDrvGraphNode;

/// Values of simtMemPoolAttr, with the same types.
typedef enum simtDrvMemPool_attribute {
  SIMT_DRV_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
  SIMT_DRV_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,
  SIMT_DRV_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
  SIMT_DRV_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
  SIMT_DRV_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
  SIMT_DRV_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
  SIMT_DRV_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
  SIMT_DRV_MEMPOOL_ATTR_USED_MEM_HIGH = 8,
} simtDrvMemPool_attribute;

typedef enum simtDrvStreamCaptureMode {
  SIMT_DRV_STREAM_CAPTURE_MODE_GLOBAL = 0,
  SIMT_DRV_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  SIMT_DRV_STREAM_CAPTURE_MODE_RELAXED = 2,
} simtDrvStreamCaptureMode;

typedef enum simtDrvStreamCaptureStatus {
  SIMT_DRV_STREAM_CAPTURE_STATUS_NONE = 0,
  SIMT_DRV_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  SIMT_DRV_STREAM_CAPTURE_STATUS_INVALIDATED = 2,
} simtDrvStreamCaptureStatus;

typedef enum simtDrvGraphInstantiate_flags {
  SIMT_DRV_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1,
  SIMT_DRV_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
  SIMT_DRV_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4,
  SIMT_DRV_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8,
} simtDrvGraphInstantiate_flags;

/// Properties of a pool, as simtMemPoolProps.
typedef struct simtDrvMemPoolProps {
  simtDrvMemAllocationType allocType;
  simtDrvMemAllocationHandleType handleTypes;
  simtDrvMemLocation location;
  void* win32SecurityAttributes;
  std::size_t maxSize;
  unsigned char reserved[56];
} simtDrvMemPoolProps;

extern "C" {

SIMTRT_EXPORT simtDrvResult simtDrvStreamGetPriority(simtDrvStream stream, int* priority);
SIMTRT_EXPORT simtDrvResult simtDrvStreamGetFlags(simtDrvStream stream, unsigned* flags);
SIMTRT_EXPORT simtDrvResult simtDrvStreamAttachMemAsync(simtDrvStream stream, simtDrvDeviceptr pointer,
                                                        std::size_t bytes, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvEventRecordWithFlags(simtEvent_t event, simtDrvStream stream,
                                                        unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvLaunchHostFunc(simtDrvStream stream, simtDrvHostFn function,
                                                  void* data);

SIMTRT_EXPORT simtDrvResult simtDrvMemAllocAsync(simtDrvDeviceptr* pointer, std::size_t bytes,
                                                 simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemAllocFromPoolAsync(simtDrvDeviceptr* pointer, std::size_t bytes,
                                                         simtDrvMemoryPool pool, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemFreeAsync(simtDrvDeviceptr pointer, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemPoolCreate(simtDrvMemoryPool* pool, const simtDrvMemPoolProps* wanted);
SIMTRT_EXPORT simtDrvResult simtDrvMemPoolDestroy(simtDrvMemoryPool pool);
SIMTRT_EXPORT simtDrvResult simtDrvMemPoolTrimTo(simtDrvMemoryPool pool, std::size_t keep);
SIMTRT_EXPORT simtDrvResult simtDrvMemPoolSetAttribute(simtDrvMemoryPool pool, simtDrvMemPool_attribute attribute,
                                                       void* value);
SIMTRT_EXPORT simtDrvResult simtDrvMemPoolGetAttribute(simtDrvMemoryPool pool, simtDrvMemPool_attribute attribute,
                                                       void* value);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceGetDefaultMemPool(simtDrvMemoryPool* pool, simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceGetMemPool(simtDrvMemoryPool* pool, simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceSetMemPool(simtDrvDevice device, simtDrvMemoryPool pool);

SIMTRT_EXPORT simtDrvResult simtDrvStreamBeginCapture(simtDrvStream stream, simtDrvStreamCaptureMode mode);
SIMTRT_EXPORT simtDrvResult simtDrvStreamEndCapture(simtDrvStream stream, simtDrvGraph* graph);
SIMTRT_EXPORT simtDrvResult simtDrvStreamIsCapturing(simtDrvStream stream, simtDrvStreamCaptureStatus* status);
SIMTRT_EXPORT simtDrvResult simtDrvThreadExchangeStreamCaptureMode(simtDrvStreamCaptureMode* mode);

SIMTRT_EXPORT simtDrvResult simtDrvGraphCreate(simtDrvGraph* graph, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvGraphClone(simtDrvGraph* clone, simtDrvGraph original);
SIMTRT_EXPORT simtDrvResult simtDrvGraphDestroy(simtDrvGraph graph);
SIMTRT_EXPORT simtDrvResult simtDrvGraphGetNodes(simtDrvGraph graph, simtDrvGraphNode* nodes, std::size_t* count);
SIMTRT_EXPORT simtDrvResult simtDrvGraphInstantiate(simtDrvGraphExec* exec, simtDrvGraph graph,
                                                    unsigned long long flags);
SIMTRT_EXPORT simtDrvResult simtDrvGraphInstantiateWithFlags(simtDrvGraphExec* exec, simtDrvGraph graph,
                                                             unsigned long long flags);
SIMTRT_EXPORT simtDrvResult simtDrvGraphUpload(simtDrvGraphExec exec, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvGraphLaunch(simtDrvGraphExec exec, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvGraphExecDestroy(simtDrvGraphExec exec);

}  // extern "C"
