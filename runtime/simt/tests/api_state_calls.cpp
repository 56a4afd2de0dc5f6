// Calls of the state table, with valid arguments for an idle device.
#include "api_states.h"

#include <cstdlib>
#include <map>

namespace api_states {
namespace {

__device__ int symbol[16];
__global__ void kernel(int) {}

simtMemcpy3DParms box(Subject& s) {
  simtMemcpy3DParms copy{};
  copy.srcPtr = make_simtPitchedPtr(s.memory, 16, 16, 2);
  copy.dstPtr = make_simtPitchedPtr(s.memory + 1024, 16, 16, 2);
  copy.extent = make_simtExtent(16, 2, 2);
  copy.kind = simtMemcpyDeviceToDevice;
  return copy;
}

simtMemcpy3DPeerParms peer_box(Subject& s) {
  const simtMemcpy3DParms own = box(s);
  simtMemcpy3DPeerParms copy{};
  copy.srcPtr = own.srcPtr;
  copy.dstPtr = own.dstPtr;
  copy.extent = own.extent;
  return copy;
}

simtPitchedPtr pitched(Subject& s) { return make_simtPitchedPtr(s.memory, 64, 64, 4); }

simtMemPoolProps pool_of_device() {
  simtMemPoolProps wanted{};
  wanted.allocType = simtMemAllocationTypePinned;
  wanted.location = {simtMemLocationTypeDevice, 0};
  return wanted;
}

template <bool kCooperative>
simtError_t launch(Subject& s) {
  int argument = 0;
  void* arguments[] = {&argument};
  return kCooperative ? simtLaunchCooperativeKernel(kernel, 1, 1, arguments, 0, s.stream)
                      : simtLaunchKernel(kernel, 1, 1, arguments, 0, s.stream);
}

void nothing(void*) {}
void no_callback(simtStream_t, simtError_t, void*) {}

using Calls = std::map<std::string, Call>;

// Each result is stored in a separate variable.
#define CALL(name, ...)               \
  {                                   \
    #name, [](Subject& s) {           \
      static_cast<void>(s);           \
      return simt##name(__VA_ARGS__); \
    }                                 \
  }
#define CALL_WITH(name, declaration, ...) \
  {                                       \
    #name, [](Subject& s) {               \
      static_cast<void>(s);               \
      declaration;                        \
      return simt##name(__VA_ARGS__);     \
    }                                     \
  }
#define VARIANT(label, name, ...)                             \
  {                                                           \
    label, [](Subject& s) { return simt##name(__VA_ARGS__); } \
  }

void add_devices(Calls& all) {
  all.insert({
    CALL(DeviceReset), CALL(DeviceSynchronize),
        CALL(DeviceSetLimit, simtLimitMallocHeapSize, 8 << 20),
        CALL_WITH(DeviceGetLimit, std::size_t value, &value, simtLimitStackSize),
        CALL_WITH(DeviceGetCacheConfig, simtFuncCache config, &config),
        CALL_WITH(DeviceGetStreamPriorityRange, int least; int greatest, &least, &greatest),
        CALL(DeviceSetCacheConfig, simtFuncCachePreferNone),
        CALL_WITH(DeviceGetByPCIBusId, int device, &device, "0000:00:00.0"),
        CALL_WITH(DeviceGetPCIBusId, char id[20], id, 20, 0),
        CALL_WITH(DeviceGetSharedMemConfig, simtSharedMemConfig config, &config),
        CALL(DeviceSetSharedMemConfig, simtSharedMemBankSizeFourByte),
        CALL_WITH(GetDeviceCount, int count, &count),
        CALL_WITH(DeviceGetAttribute, int value, &value, simtDevAttrWarpSize, 0),
        CALL_WITH(DeviceGetDefaultMemPool, simtMemPool_t pool, &pool, 0),
        CALL(DeviceSetMemPool, 0, s.pool),
        CALL_WITH(DeviceGetMemPool, simtMemPool_t pool, &pool, 0),
        CALL_WITH(DeviceGetP2PAttribute, int value, &value, simtDevP2PAttrAccessSupported, 0, 1),
        CALL_WITH(ChooseDevice, int device; simtDeviceProp wanted{}, &device, &wanted),
        CALL(InitDevice, 0, 0, 0), CALL(SetDevice, 0), CALL_WITH(GetDevice, int device, &device),
        CALL_WITH(SetValidDevices, int device = 0, &device, 1), CALL(SetDeviceFlags, 0),
        CALL_WITH(GetDeviceFlags, unsigned flags, &flags),
        CALL_WITH(DeviceCanAccessPeer, int can, &can, 0, 1), CALL(DeviceEnablePeerAccess, 1, 0),
        CALL(DeviceDisablePeerAccess, 1), CALL_WITH(DriverGetVersion, int version, &version),
        CALL_WITH(RuntimeGetVersion, int version, &version),
        CALL_WITH(GetDeviceProperties, simtDeviceProp properties, &properties, 0),
        CALL_WITH(IpcGetEventHandle, simtIpcEventHandle_t handle, &handle, s.event),
        CALL_WITH(IpcOpenEventHandle, simtEvent_t event;
                  simtIpcEventHandle_t handle{}, &event, handle),
        CALL_WITH(IpcGetMemHandle, simtIpcMemHandle_t handle, &handle, s.memory),
        CALL_WITH(IpcOpenMemHandle, void* memory; simtIpcMemHandle_t handle{}, &memory, handle, 0),
        CALL(IpcCloseMemHandle, s.memory),
  });
}

void add_streams_and_events(Calls& all) {
  all.insert({
      CALL_WITH(StreamCreate, simtStream_t stream, &stream),
      CALL_WITH(StreamCreateWithFlags, simtStream_t stream, &stream, simtStreamNonBlocking),
      CALL_WITH(StreamCreateWithPriority, simtStream_t stream, &stream, simtStreamDefault, 0),
      CALL_WITH(StreamGetPriority, int priority, s.stream, &priority),
      CALL_WITH(StreamGetFlags, unsigned flags, s.stream, &flags),
      CALL_WITH(StreamGetId, unsigned long long id, s.stream, &id),
      CALL(StreamDestroy, s.stream),
      CALL(StreamWaitEvent, s.stream, s.event, simtEventWaitDefault),
      VARIANT("StreamWaitEvent(External)", StreamWaitEvent, s.stream, s.event,
              simtEventWaitExternal),
      CALL(StreamAddCallback, s.stream, no_callback, nullptr, 0),
      CALL(StreamSynchronize, s.stream),
      CALL(StreamQuery, s.stream),
      CALL(StreamAttachMemAsync, s.stream, s.managed),
      CALL(LaunchHostFunc, s.stream, nothing, nullptr),
      CALL_WITH(EventCreate, simtEvent_t event, &event),
      CALL_WITH(EventCreateWithFlags, simtEvent_t event, &event, simtEventDisableTiming),
      CALL(EventRecord, s.event, s.stream),
      CALL(EventRecordWithFlags, s.event, s.stream, simtEventRecordDefault),
      VARIANT("EventRecordWithFlags(External)", EventRecordWithFlags, s.event, s.stream,
              simtEventRecordExternal),
      CALL(EventQuery, s.event),
      CALL(EventSynchronize, s.event),
      CALL(EventDestroy, s.event),
      CALL_WITH(EventElapsedTime, float time, &time, s.event, s.later),
  });
}

void add_memory(Calls& all) {
  all.insert({
    CALL_WITH(MallocManaged, void* memory, &memory, 64),
        CALL_WITH(Malloc, void* memory, &memory, 64),
        CALL_WITH(MallocHost, void* memory, &memory, 64),
        CALL_WITH(MallocPitch, void* memory; std::size_t pitch, &memory, &pitch, 64, 4),
        CALL(Free, s.pointer), CALL(FreeHost, s.pinned),
        CALL_WITH(HostAlloc, void* memory, &memory, 64, simtHostAllocDefault),
        CALL(HostRegister, s.host, sizeof s.host, simtHostRegisterDefault),
        CALL(HostUnregister, s.registered),
        CALL_WITH(HostGetDevicePointer, void* memory, &memory, s.pinned, 0),
        CALL_WITH(HostGetFlags, unsigned flags, &flags, s.pinned),
        CALL_WITH(Malloc3D, simtPitchedPtr memory, &memory, make_simtExtent(16, 2, 2)),
        CALL_WITH(MemGetInfo, std::size_t free; std::size_t total, &free, &total),
        CALL_WITH(GetSymbolAddress, void* address, &address, symbol),
        CALL_WITH(GetSymbolSize, std::size_t size, &size, symbol),
        CALL(MemAdvise, s.managed, 64, simtMemAdviseSetReadMostly, 0),
        CALL_WITH(PointerGetAttributes, simtPointerAttributes attributes, &attributes, s.pointer),
        CALL(MemPrefetchAsync, s.managed, 64, 0, s.stream),
        CALL_WITH(MallocAsync, void* memory, &memory, 64, s.stream),
        CALL_WITH(MallocFromPoolAsync, void* memory, &memory, 64, s.pool, s.stream),
        CALL(FreeAsync, s.pointer, s.stream), CALL(MemPoolTrimTo, s.pool, 0),
        CALL_WITH(MemPoolSetAttribute, std::uint64_t value = 0, s.pool,
                  simtMemPoolAttrReleaseThreshold, &value),
        CALL_WITH(MemPoolGetAttribute, std::uint64_t value, s.pool, simtMemPoolAttrUsedMemCurrent,
                  &value),
        CALL_WITH(MemPoolSetAccess,
                  simtMemAccessDesc access = (simtMemAccessDesc{{simtMemLocationTypeDevice, 0},
                                                                simtMemAccessFlagsProtReadWrite}),
                  s.pool, &access, 1),
        CALL_WITH(MemPoolGetAccess, simtMemAccessFlags flags;
                  simtMemLocation place = (simtMemLocation{simtMemLocationTypeDevice, 0}), &flags,
                  s.pool, &place),
        CALL_WITH(MemPoolCreate, simtMemPool_t pool;
                  simtMemPoolProps wanted = pool_of_device(), &pool, &wanted),
        CALL(MemPoolDestroy, s.pool),
  });
}

void add_copies(Calls& all) {
  all.insert({
      CALL(Memcpy, s.memory, s.memory + 64, 64, simtMemcpyDeviceToDevice),
      VARIANT("Memcpy(to-host)", Memcpy, s.host, s.memory, 64, simtMemcpyDeviceToHost),
      VARIANT("Memcpy(from-host)", Memcpy, s.memory, s.host, 64, simtMemcpyHostToDevice),
      VARIANT("Memcpy(to-pinned)", Memcpy, s.pinned, s.memory, 64, simtMemcpyDeviceToHost),
      VARIANT("Memcpy(from-pinned)", Memcpy, s.memory, s.pinned, 64, simtMemcpyHostToDevice),
      VARIANT("Memcpy(host)", Memcpy, s.host, s.host + 64, 64, simtMemcpyHostToHost),
      VARIANT("MemcpyAsync(from-pageable)", MemcpyAsync, s.memory, s.host, 64,
              simtMemcpyHostToDevice, s.stream),
      VARIANT("Memset(managed)", Memset, s.managed, 0, 64),
      VARIANT("Memset(pinned)", Memset, s.pinned, 0, 64),
      VARIANT("MemsetAsync(managed)", MemsetAsync, s.managed, 0, 64, s.stream),
      CALL(MemcpyPeer, s.memory, 0, s.memory + 64, 0, 64),
      CALL(Memcpy2D, s.memory, 16, s.memory + 1024, 16, 16, 4, simtMemcpyDeviceToDevice),
      CALL_WITH(Memcpy3D, const auto copy = box(s), &copy),
      CALL_WITH(Memcpy3DPeer, const auto copy = peer_box(s), &copy),
      CALL(MemcpyToSymbol, symbol, s.host, sizeof symbol),
      CALL(MemcpyFromSymbol, s.host, symbol, sizeof symbol),
      CALL(MemcpyAsync, s.memory, s.memory + 64, 64, simtMemcpyDeviceToDevice, s.stream),
      VARIANT("MemcpyAsync(pinned)", MemcpyAsync, s.pinned, s.memory, 64, simtMemcpyDeviceToHost,
              s.stream),
      VARIANT("MemcpyAsync(pageable)", MemcpyAsync, s.host, s.memory, 64, simtMemcpyDeviceToHost,
              s.stream),
      CALL(MemcpyPeerAsync, s.memory, 0, s.memory + 64, 0, 64, s.stream),
      CALL(Memcpy2DAsync, s.memory, 16, s.memory + 1024, 16, 16, 4, simtMemcpyDeviceToDevice,
           s.stream),
      CALL_WITH(Memcpy3DAsync, const auto copy = box(s), &copy, s.stream),
      CALL_WITH(Memcpy3DPeerAsync, const auto copy = peer_box(s), &copy, s.stream),
      CALL(MemcpyToSymbolAsync, symbol, s.memory, sizeof symbol, 0, simtMemcpyDeviceToDevice,
           s.stream),
      CALL(MemcpyFromSymbolAsync, s.memory, symbol, sizeof symbol, 0, simtMemcpyDeviceToDevice,
           s.stream),
      CALL(Memset, s.memory, 0, 64),
      CALL(Memset2D, s.memory, 16, 0, 16, 4),
      CALL(Memset3D, pitched(s), 0, make_simtExtent(16, 2, 2)),
      CALL(MemsetAsync, s.memory, 0, 64, s.stream),
      CALL(Memset2DAsync, s.memory, 16, 0, 16, 4, s.stream),
      CALL(Memset3DAsync, pitched(s), 0, make_simtExtent(16, 2, 2), s.stream),
      VARIANT("MemsetAsync(pointer)", MemsetAsync, s.pointer, 0, 1, s.stream),
  });
}

void add_kernels_and_graphs(Calls& all) {
  all.insert({
      {"LaunchKernel", launch<false>},
      {"LaunchCooperativeKernel", launch<true>},
      CALL(FuncSetCacheConfig, kernel, simtFuncCachePreferNone),
      CALL_WITH(FuncGetAttributes, simtFuncAttributes attributes, &attributes, kernel),
      CALL(FuncSetAttribute, kernel, simtFuncAttributeMaxDynamicSharedMemorySize, 1024),
      CALL(FuncSetSharedMemConfig, kernel, simtSharedMemBankSizeFourByte),
      CALL_WITH(OccupancyMaxActiveBlocksPerMultiprocessor, int blocks, &blocks, kernel, 32, 0),
      CALL_WITH(OccupancyAvailableDynamicSMemPerBlock, std::size_t bytes, &bytes, kernel, 1, 32),
      CALL_WITH(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int blocks, &blocks, kernel, 32,
                0, simtOccupancyDefault),
      CALL(StreamBeginCapture, s.stream, simtStreamCaptureModeRelaxed),
      CALL_WITH(ThreadExchangeStreamCaptureMode,
                simtStreamCaptureMode mode = simtStreamCaptureModeRelaxed, &mode),
      CALL_WITH(StreamEndCapture, simtGraph_t graph, s.stream, &graph),
      CALL_WITH(StreamIsCapturing, simtStreamCaptureStatus status, s.stream, &status),
      CALL_WITH(StreamGetCaptureInfo, simtStreamCaptureStatus status, s.stream, &status),
      CALL_WITH(GraphCreate, simtGraph_t graph, &graph, 0),
      CALL_WITH(GraphClone, simtGraph_t graph, &graph, s.graph),
      CALL_WITH(GraphNodeGetType, simtGraphNodeType type, s.node, &type),
      CALL_WITH(GraphGetNodes, std::size_t count, s.graph, nullptr, &count),
      CALL_WITH(GraphGetRootNodes, std::size_t count, s.graph, nullptr, &count),
      CALL_WITH(GraphGetEdges, std::size_t count, s.graph, nullptr, nullptr, &count),
      CALL_WITH(GraphInstantiate, simtGraphExec_t exec, &exec, s.graph, 0),
      CALL_WITH(GraphInstantiateWithFlags, simtGraphExec_t exec, &exec, s.graph,
                simtGraphInstantiateFlagAutoFreeOnLaunch),
      CALL(GraphUpload, s.exec, s.stream),
      CALL(GraphLaunch, s.exec, s.stream),
      CALL(GraphExecDestroy, s.exec),
      CALL(GraphDestroy, s.graph),
      CALL(GraphDebugDotPrint, s.graph, "/dev/null", 0),
  });
}

Calls all_calls() {
  Calls all;
  add_devices(all);
  add_streams_and_events(all);
  add_memory(all);
  add_copies(all);
  add_kernels_and_graphs(all);
  return all;
}

}  // namespace

Call find_call(const std::string& name) {
  static const Calls calls = all_calls();
  const auto it = calls.find(name);
  return it == calls.end() ? Call() : it->second;
}

}  // namespace api_states
