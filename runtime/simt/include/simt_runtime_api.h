// Runtime API for the host: the functions of CUDA 12.4's cuda_runtime_api.h with the prefix
// simt.
//
// Every function that returns a simtError_t also stores an error; simtGetLastError returns the
// stored error. After the failure of a kernel, every call for the kernel's device returns the error
// until simtDeviceReset. mappings/simt lists the missing parts of CUDA's API with reasons.
#pragma once
#define SIMT_RUNTIME_API_H  // Programs test this macro to learn whether the header was included.

#include <simtrt/kernel/letters_begin.h>

#include <simt_library_types.h>
#include <simt_vector_types.h>
#include <simtrt/api/types.h>
#include <simtrt/config.h>
#include <simtrt/version.h>

// Programs rely on these headers, which CUDA's header includes.
#include <climits>
#include <cstddef>

extern "C" {

// Errors.
SIMTRT_EXPORT simtError_t simtGetLastError();
SIMTRT_EXPORT simtError_t simtPeekAtLastError();
SIMTRT_EXPORT const char* simtGetErrorName(simtError_t error);
SIMTRT_EXPORT const char* simtGetErrorString(simtError_t error);

// Devices.
SIMTRT_EXPORT simtError_t simtDeviceReset();
SIMTRT_EXPORT simtError_t simtDeviceSynchronize();
SIMTRT_EXPORT simtError_t simtDeviceSetLimit(simtLimit limit, std::size_t value);
SIMTRT_EXPORT simtError_t simtDeviceGetLimit(std::size_t* value, simtLimit limit);
SIMTRT_EXPORT simtError_t simtDeviceGetCacheConfig(simtFuncCache* config);
SIMTRT_EXPORT simtError_t simtDeviceGetStreamPriorityRange(int* least, int* greatest);
SIMTRT_EXPORT simtError_t simtDeviceSetCacheConfig(simtFuncCache config);
SIMTRT_EXPORT simtError_t simtDeviceGetByPCIBusId(int* device, const char* bus_id);
SIMTRT_EXPORT simtError_t simtDeviceGetPCIBusId(char* bus_id, int len, int device);
SIMTRT_EXPORT simtError_t simtDeviceGetSharedMemConfig(simtSharedMemConfig* config);
SIMTRT_EXPORT simtError_t simtDeviceSetSharedMemConfig(simtSharedMemConfig config);
SIMTRT_EXPORT simtError_t simtGetDeviceCount(int* count);
SIMTRT_EXPORT simtError_t simtDeviceGetAttribute(int* value, simtDeviceAttr attribute, int device);
SIMTRT_EXPORT simtError_t simtDeviceGetDefaultMemPool(simtMemPool_t* pool, int device);
SIMTRT_EXPORT simtError_t simtDeviceSetMemPool(int device, simtMemPool_t pool);
SIMTRT_EXPORT simtError_t simtDeviceGetMemPool(simtMemPool_t* pool, int device);
SIMTRT_EXPORT simtError_t simtDeviceGetP2PAttribute(int* value, simtDeviceP2PAttr attribute,
                                                    int from_device, int to_device);
SIMTRT_EXPORT simtError_t simtChooseDevice(int* device, const simtDeviceProp* wanted);
SIMTRT_EXPORT simtError_t simtInitDevice(int device, unsigned device_flags, unsigned flags);
SIMTRT_EXPORT simtError_t simtSetDevice(int device);
SIMTRT_EXPORT simtError_t simtGetDevice(int* device);
SIMTRT_EXPORT simtError_t simtSetValidDevices(int* devices, int len);
SIMTRT_EXPORT simtError_t simtSetDeviceFlags(unsigned flags);
SIMTRT_EXPORT simtError_t simtGetDeviceFlags(unsigned* flags);
SIMTRT_EXPORT simtError_t simtDeviceCanAccessPeer(int* can, int device, int peer);
SIMTRT_EXPORT simtError_t simtDeviceEnablePeerAccess(int peer, unsigned flags);
SIMTRT_EXPORT simtError_t simtDeviceDisablePeerAccess(int peer);
SIMTRT_EXPORT simtError_t simtDriverGetVersion(int* version);
SIMTRT_EXPORT simtError_t simtRuntimeGetVersion(int* version);
SIMTRT_EXPORT simtError_t simtGetDeviceProperties(simtDeviceProp* properties, int device);

// Handles that share events and memory with other processes of the user on this machine. Opened memory stays when
// the exporting process ends.
SIMTRT_EXPORT simtError_t simtIpcGetEventHandle(simtIpcEventHandle_t* handle, simtEvent_t event);
SIMTRT_EXPORT simtError_t simtIpcOpenEventHandle(simtEvent_t* event, simtIpcEventHandle_t handle);
SIMTRT_EXPORT simtError_t simtIpcGetMemHandle(simtIpcMemHandle_t* handle, void* pointer);
SIMTRT_EXPORT simtError_t simtIpcOpenMemHandle(void** pointer, simtIpcMemHandle_t handle,
                                               unsigned flags);
SIMTRT_EXPORT simtError_t simtIpcCloseMemHandle(void* pointer);

// Streams.
SIMTRT_EXPORT simtError_t simtStreamCreate(simtStream_t* stream);
SIMTRT_EXPORT simtError_t simtStreamCreateWithFlags(simtStream_t* stream, unsigned flags);
SIMTRT_EXPORT simtError_t simtStreamCreateWithPriority(simtStream_t* stream, unsigned flags,
                                                       int priority);
SIMTRT_EXPORT simtError_t simtStreamGetPriority(simtStream_t stream, int* priority);
SIMTRT_EXPORT simtError_t simtStreamGetFlags(simtStream_t stream, unsigned* flags);
SIMTRT_EXPORT simtError_t simtStreamGetId(simtStream_t stream, unsigned long long* id);
SIMTRT_EXPORT simtError_t simtStreamDestroy(simtStream_t stream);
SIMTRT_EXPORT simtError_t simtStreamWaitEvent(simtStream_t stream, simtEvent_t event,
                                              unsigned flags = 0);
SIMTRT_EXPORT simtError_t simtStreamAddCallback(simtStream_t stream, simtStreamCallback_t callback,
                                                void* data, unsigned flags);
SIMTRT_EXPORT simtError_t simtStreamSynchronize(simtStream_t stream);
SIMTRT_EXPORT simtError_t simtStreamQuery(simtStream_t stream);
SIMTRT_EXPORT simtError_t simtStreamAttachMemAsync(simtStream_t stream, void* pointer,
                                                   std::size_t length = 0,
                                                   unsigned flags = simtMemAttachSingle);
SIMTRT_EXPORT simtError_t simtLaunchHostFunc(simtStream_t stream, simtHostFn_t function,
                                             void* data);

// Events.
SIMTRT_EXPORT simtError_t simtEventCreate(simtEvent_t* event);
SIMTRT_EXPORT simtError_t simtEventCreateWithFlags(simtEvent_t* event, unsigned flags);
SIMTRT_EXPORT simtError_t simtEventRecord(simtEvent_t event, simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtEventRecordWithFlags(simtEvent_t event, simtStream_t stream = nullptr,
                                                   unsigned flags = simtEventRecordDefault);
SIMTRT_EXPORT simtError_t simtEventQuery(simtEvent_t event);
SIMTRT_EXPORT simtError_t simtEventSynchronize(simtEvent_t event);
SIMTRT_EXPORT simtError_t simtEventDestroy(simtEvent_t event);
SIMTRT_EXPORT simtError_t simtEventElapsedTime(float* milliseconds, simtEvent_t start,
                                               simtEvent_t end);

// Memory.
SIMTRT_EXPORT simtError_t simtMallocManaged(void** pointer, std::size_t size,
                                            unsigned flags = simtMemAttachGlobal);
SIMTRT_EXPORT simtError_t simtMalloc(void** pointer, std::size_t size);
SIMTRT_EXPORT simtError_t simtMallocHost(void** pointer, std::size_t size);
SIMTRT_EXPORT simtError_t simtMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                          std::size_t height);
SIMTRT_EXPORT simtError_t simtFree(void* pointer);
SIMTRT_EXPORT simtError_t simtFreeHost(void* pointer);
SIMTRT_EXPORT simtError_t simtHostAlloc(void** host, std::size_t size, unsigned flags);
SIMTRT_EXPORT simtError_t simtHostRegister(void* pointer, std::size_t size, unsigned flags);
SIMTRT_EXPORT simtError_t simtHostUnregister(void* pointer);
SIMTRT_EXPORT simtError_t simtHostGetDevicePointer(void** device, void* host, unsigned flags);
SIMTRT_EXPORT simtError_t simtHostGetFlags(unsigned* flags, void* host);
SIMTRT_EXPORT simtError_t simtMalloc3D(simtPitchedPtr* pitched, simtExtent extent);
SIMTRT_EXPORT simtError_t simtMemcpy3D(const simtMemcpy3DParms* copy);
SIMTRT_EXPORT simtError_t simtMemcpy3DPeer(const simtMemcpy3DPeerParms* copy);
SIMTRT_EXPORT simtError_t simtMemcpy3DAsync(const simtMemcpy3DParms* copy,
                                            simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemcpy3DPeerAsync(const simtMemcpy3DPeerParms* copy,
                                                simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemGetInfo(std::size_t* free, std::size_t* total);
SIMTRT_EXPORT simtError_t simtMemcpy(void* to, const void* from, std::size_t count,
                                     simtMemcpyKind kind);
SIMTRT_EXPORT simtError_t simtMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                         std::size_t count);
SIMTRT_EXPORT simtError_t simtMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                       std::size_t from_pitch, std::size_t width,
                                       std::size_t height, simtMemcpyKind kind);
SIMTRT_EXPORT simtError_t simtMemcpyToSymbol(const void* symbol, const void* from,
                                             std::size_t count, std::size_t offset = 0,
                                             simtMemcpyKind kind = simtMemcpyHostToDevice);
SIMTRT_EXPORT simtError_t simtMemcpyFromSymbol(void* to, const void* symbol, std::size_t count,
                                               std::size_t offset = 0,
                                               simtMemcpyKind kind = simtMemcpyDeviceToHost);
SIMTRT_EXPORT simtError_t simtMemcpyAsync(void* to, const void* from, std::size_t count,
                                          simtMemcpyKind kind, simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemcpyPeerAsync(void* to, int to_device, const void* from,
                                              int from_device, std::size_t count,
                                              simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                            std::size_t from_pitch, std::size_t width,
                                            std::size_t height, simtMemcpyKind kind,
                                            simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemcpyToSymbolAsync(const void* symbol, const void* from,
                                                  std::size_t count, std::size_t offset,
                                                  simtMemcpyKind kind,
                                                  simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t count,
                                                    std::size_t offset, simtMemcpyKind kind,
                                                    simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemset(void* pointer, int value, std::size_t count);
SIMTRT_EXPORT simtError_t simtMemset2D(void* pointer, std::size_t pitch, int value,
                                       std::size_t width, std::size_t height);
SIMTRT_EXPORT simtError_t simtMemset3D(simtPitchedPtr pitched, int value, simtExtent extent);
SIMTRT_EXPORT simtError_t simtMemsetAsync(void* pointer, int value, std::size_t count,
                                          simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemset2DAsync(void* pointer, std::size_t pitch, int value,
                                            std::size_t width, std::size_t height,
                                            simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemset3DAsync(simtPitchedPtr pitched, int value, simtExtent extent,
                                            simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtGetSymbolAddress(void** pointer, const void* symbol);
SIMTRT_EXPORT simtError_t simtGetSymbolSize(std::size_t* size, const void* symbol);
SIMTRT_EXPORT simtError_t simtMemPrefetchAsync(const void* pointer, std::size_t count,
                                               int to_device, simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemAdvise(const void* pointer, std::size_t count,
                                        simtMemoryAdvise advice, int device);
SIMTRT_EXPORT simtError_t simtMallocAsync(void** pointer, std::size_t size, simtStream_t stream);
SIMTRT_EXPORT simtError_t simtFreeAsync(void* pointer, simtStream_t stream);
SIMTRT_EXPORT simtError_t simtMemPoolTrimTo(simtMemPool_t pool, std::size_t keep);
SIMTRT_EXPORT simtError_t simtMemPoolSetAttribute(simtMemPool_t pool, simtMemPoolAttr attribute,
                                                  void* value);
SIMTRT_EXPORT simtError_t simtMemPoolGetAttribute(simtMemPool_t pool, simtMemPoolAttr attribute,
                                                  void* value);
SIMTRT_EXPORT simtError_t simtMemPoolSetAccess(simtMemPool_t pool,
                                               const simtMemAccessDesc* accesses,
                                               std::size_t count);
SIMTRT_EXPORT simtError_t simtMemPoolGetAccess(simtMemAccessFlags* flags, simtMemPool_t pool,
                                               simtMemLocation* location);
SIMTRT_EXPORT simtError_t simtMemPoolCreate(simtMemPool_t* pool, const simtMemPoolProps* wanted);
SIMTRT_EXPORT simtError_t simtMemPoolDestroy(simtMemPool_t pool);
SIMTRT_EXPORT simtError_t simtMallocFromPoolAsync(void** pointer, std::size_t size,
                                                  simtMemPool_t pool, simtStream_t stream);
SIMTRT_EXPORT simtError_t simtPointerGetAttributes(simtPointerAttributes* attributes,
                                                   const void* pointer);

// Kernels are identified by the address of the kernel function. As in CUDA's header for C++, the last two arguments of
// launches have defaults.
SIMTRT_EXPORT simtError_t simtLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** args,
                                           std::size_t shared_bytes = 0,
                                           simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block,
                                                      void** args, std::size_t shared_bytes = 0,
                                                      simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtFuncSetCacheConfig(const void* kernel, simtFuncCache config);
SIMTRT_EXPORT simtError_t simtFuncGetAttributes(simtFuncAttributes* attribute, const void* kernel);
SIMTRT_EXPORT simtError_t simtFuncSetAttribute(const void* kernel, simtFuncAttribute attribute,
                                               int value);
SIMTRT_EXPORT simtError_t simtFuncSetSharedMemConfig(const void* kernel,
                                                     simtSharedMemConfig config);
SIMTRT_EXPORT simtError_t simtOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                        const void* kernel,
                                                                        int block_size,
                                                                        std::size_t shared_bytes);
SIMTRT_EXPORT simtError_t simtOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes,
                                                                    const void* kernel, int blocks,
                                                                    int block_size);
SIMTRT_EXPORT simtError_t simtOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* kernel, int block_size, std::size_t shared_bytes, unsigned flags);

// Captures and graphs.
SIMTRT_EXPORT simtError_t simtStreamBeginCapture(simtStream_t stream, simtStreamCaptureMode mode);
SIMTRT_EXPORT simtError_t simtThreadExchangeStreamCaptureMode(simtStreamCaptureMode* mode);
SIMTRT_EXPORT simtError_t simtStreamEndCapture(simtStream_t stream, simtGraph_t* graph);
SIMTRT_EXPORT simtError_t simtStreamIsCapturing(simtStream_t stream,
                                                simtStreamCaptureStatus* status);
SIMTRT_EXPORT simtError_t simtGraphCreate(simtGraph_t* graph, unsigned flags);
SIMTRT_EXPORT simtError_t simtGraphClone(simtGraph_t* clone, simtGraph_t original);
SIMTRT_EXPORT simtError_t simtGraphNodeGetType(simtGraphNode_t node, simtGraphNodeType* type);
SIMTRT_EXPORT simtError_t simtGraphGetNodes(simtGraph_t graph, simtGraphNode_t* nodes,
                                            std::size_t* count);
SIMTRT_EXPORT simtError_t simtGraphGetRootNodes(simtGraph_t graph, simtGraphNode_t* nodes,
                                                std::size_t* count);
SIMTRT_EXPORT simtError_t simtGraphGetEdges(simtGraph_t graph, simtGraphNode_t* from,
                                            simtGraphNode_t* to, std::size_t* count);
SIMTRT_EXPORT simtError_t simtGraphInstantiate(simtGraphExec_t* exec, simtGraph_t graph,
                                               unsigned long long flags = 0);
SIMTRT_EXPORT simtError_t simtGraphInstantiateWithFlags(simtGraphExec_t* exec, simtGraph_t graph,
                                                        unsigned long long flags = 0);
SIMTRT_EXPORT simtError_t simtGraphUpload(simtGraphExec_t exec, simtStream_t stream);
SIMTRT_EXPORT simtError_t simtGraphLaunch(simtGraphExec_t exec, simtStream_t stream);
SIMTRT_EXPORT simtError_t simtGraphExecDestroy(simtGraphExec_t exec);
SIMTRT_EXPORT simtError_t simtGraphDestroy(simtGraph_t graph);
SIMTRT_EXPORT simtError_t simtGraphDebugDotPrint(simtGraph_t graph, const char* path,
                                                 unsigned flags);
SIMTRT_EXPORT simtError_t simtStreamGetCaptureInfo(simtStream_t stream,
                                                   simtStreamCaptureStatus* status,
                                                   unsigned long long* id = nullptr,
                                                   simtGraph_t* graph = nullptr,
                                                   const simtGraphNode_t** nodes = nullptr,
                                                   std::size_t* count = nullptr);

}  // extern "C"

#include <simtrt/api/arrays.h>
#include <simtrt/api/mipmapped_arrays.h>
#include <simtrt/api/entry_points.h>
#include <simtrt/api/graph_generic.h>
#include <simtrt/api/graph_nodes.h>
#include <simtrt/api/templates.h>

#include <simtrt/kernel/letters_end.h>
