// Calls of the runtime API with valid arguments for an idle device, as a table for programs that make each call in a state.
#pragma once

#include "cases.h"

namespace calls {

struct Subject {
  cudaStream_t stream = nullptr;  // for calls that name a stream
  cudaEvent_t event = nullptr, later = nullptr;
  char *memory = nullptr, *managed = nullptr, *pinned = nullptr, *pointer = nullptr;
  cudaMemPool_t pool = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
};

inline char host[4096];
inline char registered[8192];

__device__ int symbol[16];
__global__ void kernel(int) {}

inline void nothing(void*) {}
inline void no_callback(cudaStream_t, cudaError_t, void*) {}

inline cudaMemcpy3DParms box(Subject& s) {
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(s.memory, 16, 16, 2);
  copy.dstPtr = make_cudaPitchedPtr(s.memory + 1024, 16, 16, 2);
  copy.extent = make_cudaExtent(16, 2, 2);
  copy.kind = cudaMemcpyDeviceToDevice;
  return copy;
}

inline cudaMemPoolProps pool_of_device() {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  wanted.location.id = 0;
  return wanted;
}

inline void prepare(Subject& s) {
  cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking);
  cudaEventCreate(&s.event);
  cudaEventCreate(&s.later);
  cudaMalloc(&s.memory, 4096);
  cudaMallocManaged(&s.managed, 4096);
  cudaMallocHost(&s.pinned, 4096);
  cudaMallocAsync(&s.pointer, 4096, s.stream);
  const cudaMemPoolProps wanted = pool_of_device();
  cudaMemPoolCreate(&s.pool, &wanted);
  cudaGraphCreate(&s.graph, 0);
  cudaGraphAddEmptyNode(&s.node, s.graph, nullptr, 0);
  cudaGraphInstantiate(&s.exec, s.graph, 0);
  cudaHostRegister(registered, 4096, 0);
  cudaEventRecord(s.event, s.stream);
  cudaEventRecord(s.later, s.stream);
  kernel<<<1, 1, 0, s.stream>>>(0);
  cudaDeviceSynchronize();
  cudaGetLastError();
}

struct Call {
  const char* name;
  cudaError_t (*make)(Subject&);
};

#if CUDART_VERSION >= 13000
inline cudaError_t prefetch(Subject& s) {
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  return cudaMemPrefetchAsync(s.managed, 64, place, 0, s.stream);
}
inline cudaError_t advise(Subject& s) {
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  return cudaMemAdvise(s.managed, 64, cudaMemAdviseSetReadMostly, place);
}
inline cudaError_t edges(Subject& s) {
  std::size_t count;
  return cudaGraphGetEdges(s.graph, nullptr, nullptr, nullptr, &count);
}
#else
inline cudaError_t prefetch(Subject& s) { return cudaMemPrefetchAsync(s.managed, 64, 0, s.stream); }
inline cudaError_t advise(Subject& s) { return cudaMemAdvise(s.managed, 64, cudaMemAdviseSetReadMostly, 0); }
inline cudaError_t edges(Subject& s) {
  std::size_t count;
  return cudaGraphGetEdges(s.graph, nullptr, nullptr, &count);
}
#endif

inline cudaError_t launch(Subject& s) {
  int argument = 0;
  void* arguments[] = {&argument};
  return cudaLaunchKernel(kernel, 1, 1, arguments, 0, s.stream);
}
inline cudaError_t launch_cooperatively(Subject& s) {
  int argument = 0;
  void* arguments[] = {&argument};
  return cudaLaunchCooperativeKernel(kernel, 1, 1, arguments, 0, s.stream);
}

inline cudaError_t set_access(Subject& s) {
  cudaMemAccessDesc access{};
  access.location = pool_of_device().location;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  return cudaMemPoolSetAccess(s.pool, &access, 1);
}
inline cudaError_t get_access(Subject& s) {
  cudaMemAccessFlags flags;
  cudaMemLocation place = pool_of_device().location;
  return cudaMemPoolGetAccess(&flags, s.pool, &place);
}

#define MAKE(name, statement, ...) \
  { name, [](Subject& s) -> cudaError_t { (void)s; statement; return __VA_ARGS__; } }

// Calls whose effect does not depend on a stream, or that wait for streams.
inline const Call device_calls[] = {
    MAKE("DeviceSynchronize", , cudaDeviceSynchronize()),
    MAKE("DeviceSetLimit", , cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20)),
    MAKE("DeviceGetLimit", std::size_t v, cudaDeviceGetLimit(&v, cudaLimitStackSize)),
    MAKE("DeviceGetCacheConfig", cudaFuncCache c, cudaDeviceGetCacheConfig(&c)),
    MAKE("DeviceSetCacheConfig", , cudaDeviceSetCacheConfig(cudaFuncCachePreferNone)),
    MAKE("DeviceGetStreamPriorityRange", int a; int b, cudaDeviceGetStreamPriorityRange(&a, &b)),
    MAKE("DeviceGetPCIBusId", char id[20], cudaDeviceGetPCIBusId(id, 20, 0)),
    MAKE("GetDeviceCount", int n, cudaGetDeviceCount(&n)),
    MAKE("DeviceGetAttribute", int v, cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0)),
    MAKE("DeviceGetDefaultMemPool", cudaMemPool_t p, cudaDeviceGetDefaultMemPool(&p, 0)),
    MAKE("DeviceGetMemPool", cudaMemPool_t p, cudaDeviceGetMemPool(&p, 0)),
    MAKE("ChooseDevice", int d; cudaDeviceProp wanted{}, cudaChooseDevice(&d, &wanted)),
    MAKE("InitDevice", , cudaInitDevice(0, 0, 0)),
    MAKE("SetDevice", , cudaSetDevice(0)),
    MAKE("GetDevice", int d, cudaGetDevice(&d)),
    MAKE("SetValidDevices", int d = 0, cudaSetValidDevices(&d, 1)),
    MAKE("SetDeviceFlags", , cudaSetDeviceFlags(0)),
    MAKE("GetDeviceFlags", unsigned f, cudaGetDeviceFlags(&f)),
    MAKE("DeviceCanAccessPeer", int can, cudaDeviceCanAccessPeer(&can, 0, 0)),
    MAKE("DriverGetVersion", int v, cudaDriverGetVersion(&v)),
    MAKE("RuntimeGetVersion", int v, cudaRuntimeGetVersion(&v)),
    MAKE("GetDeviceProperties", cudaDeviceProp p, cudaGetDeviceProperties(&p, 0)),
    MAKE("IpcGetEventHandle", cudaIpcEventHandle_t h, cudaIpcGetEventHandle(&h, s.event)),
    MAKE("IpcGetMemHandle", cudaIpcMemHandle_t h, cudaIpcGetMemHandle(&h, s.memory)),
    MAKE("StreamCreate", cudaStream_t t, cudaStreamCreate(&t)),
    MAKE("StreamCreateWithFlags", cudaStream_t t, cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking)),
    MAKE("StreamCreateWithPriority", cudaStream_t t, cudaStreamCreateWithPriority(&t, 0, 0)),
    MAKE("EventCreate", cudaEvent_t e, cudaEventCreate(&e)),
    MAKE("EventCreateWithFlags", cudaEvent_t e, cudaEventCreateWithFlags(&e, cudaEventDisableTiming)),
    MAKE("EventQuery", , cudaEventQuery(s.event)),
    MAKE("EventSynchronize", , cudaEventSynchronize(s.event)),
    MAKE("EventElapsedTime", float t, cudaEventElapsedTime(&t, s.event, s.later)),
    MAKE("MallocManaged", void* p, cudaMallocManaged(&p, 64)),
    MAKE("Malloc", void* p, cudaMalloc(&p, 64)),
    MAKE("Malloc large", void* p, cudaMalloc(&p, 64 << 20)),
    MAKE("MallocHost", void* p, cudaMallocHost(&p, 64)),
    MAKE("HostAlloc", void* p, cudaHostAlloc(&p, 64, 0)),
    MAKE("MallocPitch", void* p; std::size_t n, cudaMallocPitch(&p, &n, 64, 4)),
    MAKE("Malloc3D", cudaPitchedPtr p, cudaMalloc3D(&p, make_cudaExtent(16, 2, 2))),
    MAKE("MallocArray", cudaArray_t a; auto d = cudaCreateChannelDesc<float>(), cudaMallocArray(&a, &d, 8, 8)),
    MAKE("Free null", , cudaFree(nullptr)),
    MAKE("FreeHost null", , cudaFreeHost(nullptr)),
    MAKE("HostRegister", , cudaHostRegister(registered + 4096, 4096, 0)),
    MAKE("HostGetDevicePointer", void* p, cudaHostGetDevicePointer(&p, s.pinned, 0)),
    MAKE("HostGetFlags", unsigned f, cudaHostGetFlags(&f, s.pinned)),
    MAKE("MemGetInfo", std::size_t a; std::size_t b, cudaMemGetInfo(&a, &b)),
    MAKE("PointerGetAttributes", cudaPointerAttributes a, cudaPointerGetAttributes(&a, s.memory)),
    MAKE("GetSymbolAddress", void* p, cudaGetSymbolAddress(&p, symbol)),
    MAKE("GetSymbolSize", std::size_t n, cudaGetSymbolSize(&n, symbol)),
    MAKE("MemAdvise", , advise(s)),
    MAKE("Memcpy d2d", , cudaMemcpy(s.memory, s.memory + 64, 64, cudaMemcpyDeviceToDevice)),
    MAKE("Memcpy to host", , cudaMemcpy(host, s.memory, 64, cudaMemcpyDeviceToHost)),
    MAKE("Memcpy from host", , cudaMemcpy(s.memory, host, 64, cudaMemcpyHostToDevice)),
    MAKE("Memcpy to pinned", , cudaMemcpy(s.pinned, s.memory, 64, cudaMemcpyDeviceToHost)),
    MAKE("Memcpy host", , cudaMemcpy(host, host + 64, 64, cudaMemcpyHostToHost)),
    MAKE("Memcpy 0 bytes", , cudaMemcpy(s.memory, host, 0, cudaMemcpyHostToDevice)),
    MAKE("Memcpy2D", , cudaMemcpy2D(s.memory, 16, s.memory + 1024, 16, 16, 4, cudaMemcpyDeviceToDevice)),
    MAKE("Memcpy3D", auto c = box(s), cudaMemcpy3D(&c)),
    MAKE("MemcpyPeer", , cudaMemcpyPeer(s.memory, 0, s.memory + 64, 0, 64)),
    MAKE("MemcpyToSymbol", , cudaMemcpyToSymbol(symbol, host, sizeof symbol)),
    MAKE("MemcpyFromSymbol", , cudaMemcpyFromSymbol(host, symbol, sizeof symbol)),
    MAKE("Memset", , cudaMemset(s.memory, 0, 64)),
    MAKE("Memset pinned", , cudaMemset(s.pinned, 0, 64)),
    MAKE("Memset managed", , cudaMemset(s.managed, 0, 64)),
    MAKE("Memset2D", , cudaMemset2D(s.memory, 16, 0, 16, 4)),
    MAKE("MemPoolTrimTo", , cudaMemPoolTrimTo(s.pool, 0)),
    MAKE("MemPoolGetAttribute", unsigned long long v, cudaMemPoolGetAttribute(s.pool, cudaMemPoolAttrUsedMemCurrent, &v)),
    MAKE("MemPoolSetAttribute", unsigned long long v = 0,
         cudaMemPoolSetAttribute(s.pool, cudaMemPoolAttrReleaseThreshold, &v)),
    MAKE("MemPoolSetAccess", , set_access(s)),
    MAKE("MemPoolGetAccess", , get_access(s)),
    MAKE("MemPoolCreate", cudaMemPool_t p; auto wanted = pool_of_device(), cudaMemPoolCreate(&p, &wanted)),
    MAKE("DeviceSetMemPool", , cudaDeviceSetMemPool(0, s.pool)),
    MAKE("FuncSetCacheConfig", , cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferNone)),
    MAKE("FuncGetAttributes", cudaFuncAttributes a, cudaFuncGetAttributes(&a, kernel)),
    MAKE("FuncSetAttribute", , cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024)),
    MAKE("OccupancyMaxActiveBlocks", int n, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, 32, 0)),
    MAKE("ThreadExchangeStreamCaptureMode", auto m = cudaStreamCaptureModeGlobal;
         cudaError_t e = cudaThreadExchangeStreamCaptureMode(&m), (cudaThreadExchangeStreamCaptureMode(&m), e)),
    MAKE("GraphCreate", cudaGraph_t g, cudaGraphCreate(&g, 0)),
    MAKE("GraphClone", cudaGraph_t g, cudaGraphClone(&g, s.graph)),
    MAKE("GraphGetNodes", std::size_t n, cudaGraphGetNodes(s.graph, nullptr, &n)),
    MAKE("GraphGetRootNodes", std::size_t n, cudaGraphGetRootNodes(s.graph, nullptr, &n)),
    MAKE("GraphGetEdges", , edges(s)),
    MAKE("GraphNodeGetType", cudaGraphNodeType t, cudaGraphNodeGetType(s.node, &t)),
    MAKE("GraphInstantiate", cudaGraphExec_t e, cudaGraphInstantiate(&e, s.graph, 0)),
};

// Calls that name a stream. Those that destroy something come last.
inline const Call stream_calls[] = {
    MAKE("StreamGetPriority", int p, cudaStreamGetPriority(s.stream, &p)),
    MAKE("StreamGetFlags", unsigned f, cudaStreamGetFlags(s.stream, &f)),
    MAKE("StreamGetId", unsigned long long id, cudaStreamGetId(s.stream, &id)),
    MAKE("StreamSynchronize", , cudaStreamSynchronize(s.stream)),
    MAKE("StreamQuery", , cudaStreamQuery(s.stream)),
    MAKE("StreamAttachMemAsync", , cudaStreamAttachMemAsync(s.stream, s.managed)),
    MAKE("MemPrefetchAsync", , prefetch(s)),
    MAKE("StreamAddCallback", , cudaStreamAddCallback(s.stream, no_callback, nullptr, 0)),
    MAKE("LaunchHostFunc", , cudaLaunchHostFunc(s.stream, nothing, nullptr)),
    MAKE("StreamWaitEvent", , cudaStreamWaitEvent(s.stream, s.event, 0)),
    MAKE("StreamWaitEvent external", , cudaStreamWaitEvent(s.stream, s.event, cudaEventWaitExternal)),
    MAKE("EventRecord", , cudaEventRecord(s.event, s.stream)),
    MAKE("EventRecordWithFlags", , cudaEventRecordWithFlags(s.event, s.stream, 0)),
    MAKE("EventRecordWithFlags external", , cudaEventRecordWithFlags(s.event, s.stream, cudaEventRecordExternal)),
    MAKE("MemcpyAsync", , cudaMemcpyAsync(s.memory, s.memory + 64, 64, cudaMemcpyDeviceToDevice, s.stream)),
    MAKE("MemcpyAsync to pinned", , cudaMemcpyAsync(s.pinned, s.memory, 64, cudaMemcpyDeviceToHost, s.stream)),
    MAKE("MemcpyAsync to pageable", , cudaMemcpyAsync(host, s.memory, 64, cudaMemcpyDeviceToHost, s.stream)),
    MAKE("MemcpyAsync from pageable", , cudaMemcpyAsync(s.memory, host, 64, cudaMemcpyHostToDevice, s.stream)),
    MAKE("MemcpyAsync 0 bytes", , cudaMemcpyAsync(s.memory, host, 0, cudaMemcpyHostToDevice, s.stream)),
    MAKE("MemcpyPeerAsync", , cudaMemcpyPeerAsync(s.memory, 0, s.memory + 64, 0, 64, s.stream)),
    MAKE("Memcpy2DAsync", ,
         cudaMemcpy2DAsync(s.memory, 16, s.memory + 1024, 16, 16, 4, cudaMemcpyDeviceToDevice, s.stream)),
    MAKE("Memcpy3DAsync", auto c = box(s), cudaMemcpy3DAsync(&c, s.stream)),
    MAKE("MemcpyToSymbolAsync", ,
         cudaMemcpyToSymbolAsync(symbol, s.memory, sizeof symbol, 0, cudaMemcpyDeviceToDevice, s.stream)),
    MAKE("MemcpyFromSymbolAsync", ,
         cudaMemcpyFromSymbolAsync(s.memory, symbol, sizeof symbol, 0, cudaMemcpyDeviceToDevice, s.stream)),
    MAKE("MemsetAsync", , cudaMemsetAsync(s.memory, 0, 64, s.stream)),
    MAKE("MemsetAsync 0 bytes", , cudaMemsetAsync(s.memory, 0, 0, s.stream)),
    MAKE("MemsetAsync managed", , cudaMemsetAsync(s.managed, 0, 64, s.stream)),
    MAKE("Memset2DAsync", , cudaMemset2DAsync(s.memory, 16, 0, 16, 4, s.stream)),
    MAKE("MallocAsync", void* p, cudaMallocAsync(&p, 64, s.stream)),
    MAKE("MallocFromPoolAsync", void* p, cudaMallocFromPoolAsync(&p, 64, s.pool, s.stream)),
    MAKE("FreeAsync null", , cudaFreeAsync(nullptr, s.stream)),
    MAKE("LaunchKernel", , launch(s)),
    MAKE("LaunchCooperativeKernel", , launch_cooperatively(s)),
    MAKE("StreamIsCapturing", cudaStreamCaptureStatus c, cudaStreamIsCapturing(s.stream, &c)),
    MAKE("GraphUpload", , cudaGraphUpload(s.exec, s.stream)),
    MAKE("GraphLaunch", , cudaGraphLaunch(s.exec, s.stream)),
};

}  // namespace calls
