// Functions of the driver API that do the same as functions of the runtime API: devices, contexts,
// memory, streams and events. simt.h includes this header.
#pragma once

#include <simtrt/api/driver_attributes.h>

typedef simtEvent_t simtDrvEvent;

/// Flags of contexts; none of them has an effect.
typedef enum simtDrvCtx_flags {
  SIMT_DRV_CTX_SCHED_AUTO = 0,
  SIMT_DRV_CTX_SCHED_SPIN = 1,
  SIMT_DRV_CTX_SCHED_YIELD = 2,
  SIMT_DRV_CTX_SCHED_BLOCKING_SYNC = 4,
  SIMT_DRV_CTX_BLOCKING_SYNC = 4,
  SIMT_DRV_CTX_SCHED_MASK = 7,
  SIMT_DRV_CTX_MAP_HOST = 8,
  SIMT_DRV_CTX_LMEM_RESIZE_TO_MAX = 16,
  SIMT_DRV_CTX_COREDUMP_ENABLE = 32,
  SIMT_DRV_CTX_USER_COREDUMP_ENABLE = 64,
  SIMT_DRV_CTX_SYNC_MEMOPS = 128,
  SIMT_DRV_CTX_FLAGS_MASK = 255,
} simtDrvCtx_flags;

typedef enum simtDrvStream_flags {
  SIMT_DRV_STREAM_DEFAULT = 0,
  SIMT_DRV_STREAM_NON_BLOCKING = 1,
} simtDrvStream_flags;

typedef enum simtDrvEvent_flags {
  SIMT_DRV_EVENT_DEFAULT = 0,
  SIMT_DRV_EVENT_BLOCKING_SYNC = 1,
  SIMT_DRV_EVENT_DISABLE_TIMING = 2,
  SIMT_DRV_EVENT_INTERPROCESS = 4,
} simtDrvEvent_flags;

typedef enum simtDrvMemAttach_flags {
  SIMT_DRV_MEM_ATTACH_GLOBAL = 1,
  SIMT_DRV_MEM_ATTACH_HOST = 2,
  SIMT_DRV_MEM_ATTACH_SINGLE = 4,
} simtDrvMemAttach_flags;

#define SIMT_DRV_MEMHOSTALLOC_PORTABLE 1
#define SIMT_DRV_MEMHOSTALLOC_DEVICEMAP 2
#define SIMT_DRV_MEMHOSTALLOC_WRITECOMBINED 4
#define SIMT_DRV_MEMHOSTREGISTER_PORTABLE 1
#define SIMT_DRV_MEMHOSTREGISTER_DEVICEMAP 2
#define SIMT_DRV_MEMHOSTREGISTER_IOMEMORY 4
#define SIMT_DRV_MEMHOSTREGISTER_READ_ONLY 8

extern "C" {

/// Attributes without a counterpart in simtDeviceAttr are 0.
SIMTRT_EXPORT simtDrvResult simtDrvDeviceGetAttribute(int* value, simtDrvDevice_attribute attribute, simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceTotalMem(std::size_t* bytes, simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceGetUuid(simtUUID_t* uuid, simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceComputeCapability(int* major, int* minor, simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceCanAccessPeer(int* can, simtDrvDevice device, simtDrvDevice peer);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceGetPCIBusId(char* bus_id, int length, simtDrvDevice device);

/// A new context is the primary context of the device, and becomes current. The flags have no effect.
SIMTRT_EXPORT simtDrvResult simtDrvCtxCreate(simtDrvContext* context, unsigned flags, simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvCtxDestroy(simtDrvContext context);
SIMTRT_EXPORT simtDrvResult simtDrvCtxSynchronize(void);
SIMTRT_EXPORT simtDrvResult simtDrvCtxGetDevice(simtDrvDevice* device);
/// Each thread has a stack of contexts; the top of the stack is current.
SIMTRT_EXPORT simtDrvResult simtDrvCtxPushCurrent(simtDrvContext context);
SIMTRT_EXPORT simtDrvResult simtDrvCtxPopCurrent(simtDrvContext* context);

SIMTRT_EXPORT simtDrvResult simtDrvMemAlloc(simtDrvDeviceptr* pointer, std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemAllocManaged(simtDrvDeviceptr* pointer, std::size_t bytes, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvMemAllocPitch(simtDrvDeviceptr* pointer, std::size_t* pitch, std::size_t width, std::size_t height, unsigned element_bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemFree(simtDrvDeviceptr pointer);
SIMTRT_EXPORT simtDrvResult simtDrvMemAllocHost(void** pointer, std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvMemFreeHost(void* pointer);
SIMTRT_EXPORT simtDrvResult simtDrvMemHostGetDevicePointer(simtDrvDeviceptr* device, void* host, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvMemHostRegister(void* pointer, std::size_t bytes, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvMemHostUnregister(void* pointer);
SIMTRT_EXPORT simtDrvResult simtDrvMemGetInfo(std::size_t* free, std::size_t* total);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpy(simtDrvDeviceptr to, simtDrvDeviceptr from, std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyHtoD(simtDrvDeviceptr to, const void* from, std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyDtoH(void* to, simtDrvDeviceptr from, std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyDtoD(simtDrvDeviceptr to, simtDrvDeviceptr from, std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyAsync(simtDrvDeviceptr to, simtDrvDeviceptr from, std::size_t bytes, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyHtoDAsync(simtDrvDeviceptr to, const void* from, std::size_t bytes, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyDtoHAsync(void* to, simtDrvDeviceptr from, std::size_t bytes, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyDtoDAsync(simtDrvDeviceptr to, simtDrvDeviceptr from, std::size_t bytes, simtDrvStream stream);
/// Stores `count` values of 8, 16 or 32 bits.
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD8(simtDrvDeviceptr to, unsigned char value, std::size_t count);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD16(simtDrvDeviceptr to, unsigned short value, std::size_t count);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD32(simtDrvDeviceptr to, unsigned value, std::size_t count);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD8Async(simtDrvDeviceptr to, unsigned char value, std::size_t count, simtDrvStream stream);

SIMTRT_EXPORT simtDrvResult simtDrvStreamCreate(simtDrvStream* stream, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvStreamCreateWithPriority(simtDrvStream* stream, unsigned flags, int priority);
SIMTRT_EXPORT simtDrvResult simtDrvStreamDestroy(simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvStreamSynchronize(simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvStreamQuery(simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvStreamWaitEvent(simtDrvStream stream, simtDrvEvent event, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvEventCreate(simtDrvEvent* event, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvEventDestroy(simtDrvEvent event);
SIMTRT_EXPORT simtDrvResult simtDrvEventRecord(simtDrvEvent event, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvEventSynchronize(simtDrvEvent event);
SIMTRT_EXPORT simtDrvResult simtDrvEventQuery(simtDrvEvent event);
SIMTRT_EXPORT simtDrvResult simtDrvEventElapsedTime(float* milliseconds, simtDrvEvent start, simtDrvEvent end);

}  // extern "C"

/// Parameters of a context since CUDA 12.5; none of them has an effect.
typedef struct simtDrvCtxCreateParams {
  void* execAffinityParams;
  int numExecAffinityParams;
  void* cigParams;
} simtDrvCtxCreateParams;

#ifdef __cplusplus
/// The signature of CUDA 13. A program may include this header in a block `extern "C"`, as it may include cuda.h.
extern "C++" inline simtDrvResult simtDrvCtxCreate(simtDrvContext* context, simtDrvCtxCreateParams*,
                                                   unsigned flags, simtDrvDevice device) {
  return simtDrvCtxCreate(context, flags, device);
}
#endif
