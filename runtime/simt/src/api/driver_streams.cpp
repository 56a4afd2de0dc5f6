// Functions of the driver API about streams: memory in the order of a stream, captures, graphs.
#include "api/driver_pointers.h"
#include "api/driver_result.h"

#include <simt_driver.h>
#include <simt_runtime_api.h>

#include <cstddef>
#include <cstring>

namespace {

using simtrt::address_of;
using simtrt::result;

static_assert(sizeof(simtDrvMemPoolProps) == sizeof(simtMemPoolProps));

// Calls `allocate`, which stores an address, and gives the address to `*pointer`.
template <class Allocate>
simtDrvResult store(simtDrvDeviceptr* pointer, Allocate allocate) {
  if (pointer == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  void* made = nullptr;
  const simtDrvResult error = result([&] { return allocate(&made); });
  if (error == SIMT_DRV_SUCCESS) *pointer = simtrt::device_pointer(made);
  return error;
}

}  // namespace

simtDrvResult simtDrvStreamGetPriority(simtDrvStream stream, int* priority) {
  return result([&] { return simtStreamGetPriority(stream, priority); });
}
simtDrvResult simtDrvStreamGetFlags(simtDrvStream stream, unsigned* flags) {
  return result([&] { return simtStreamGetFlags(stream, flags); });
}
simtDrvResult simtDrvStreamAttachMemAsync(simtDrvStream stream, simtDrvDeviceptr pointer, std::size_t bytes,
                                          unsigned flags) {
  return result([&] { return simtStreamAttachMemAsync(stream, address_of(pointer), bytes, flags); });
}
simtDrvResult simtDrvEventRecordWithFlags(simtEvent_t event, simtDrvStream stream, unsigned flags) {
  return result([&] { return simtEventRecordWithFlags(event, stream, flags); });
}
simtDrvResult simtDrvLaunchHostFunc(simtDrvStream stream, simtDrvHostFn function, void* data) {
  return result([&] { return simtLaunchHostFunc(stream, function, data); });
}

simtDrvResult simtDrvMemAllocAsync(simtDrvDeviceptr* pointer, std::size_t bytes, simtDrvStream stream) {
  return store(pointer, [&](void** made) { return simtMallocAsync(made, bytes, stream); });
}
simtDrvResult simtDrvMemAllocFromPoolAsync(simtDrvDeviceptr* pointer, std::size_t bytes, simtDrvMemoryPool pool,
                                           simtDrvStream stream) {
  return store(pointer, [&](void** made) { return simtMallocFromPoolAsync(made, bytes, pool, stream); });
}
simtDrvResult simtDrvMemFreeAsync(simtDrvDeviceptr pointer, simtDrvStream stream) {
  return result([&] { return simtFreeAsync(address_of(pointer), stream); });
}
simtDrvResult simtDrvMemPoolCreate(simtDrvMemoryPool* pool, const simtDrvMemPoolProps* wanted) {
  if (wanted == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  simtMemPoolProps properties;
  std::memcpy(&properties, wanted, sizeof properties);  // The types differ in the names of their members' types only.
  return result([&] { return simtMemPoolCreate(pool, &properties); });
}
simtDrvResult simtDrvMemPoolDestroy(simtDrvMemoryPool pool) {
  return result([&] { return simtMemPoolDestroy(pool); });
}
simtDrvResult simtDrvMemPoolTrimTo(simtDrvMemoryPool pool, std::size_t keep) {
  return result([&] { return simtMemPoolTrimTo(pool, keep); });
}
simtDrvResult simtDrvMemPoolSetAttribute(simtDrvMemoryPool pool, simtDrvMemPool_attribute attribute, void* value) {
  return result([&] { return simtMemPoolSetAttribute(pool, static_cast<simtMemPoolAttr>(attribute), value); });
}
simtDrvResult simtDrvMemPoolGetAttribute(simtDrvMemoryPool pool, simtDrvMemPool_attribute attribute, void* value) {
  return result([&] { return simtMemPoolGetAttribute(pool, static_cast<simtMemPoolAttr>(attribute), value); });
}
simtDrvResult simtDrvDeviceGetDefaultMemPool(simtDrvMemoryPool* pool, simtDrvDevice device) {
  return result([&] { return simtDeviceGetDefaultMemPool(pool, device); });
}
simtDrvResult simtDrvDeviceGetMemPool(simtDrvMemoryPool* pool, simtDrvDevice device) {
  return result([&] { return simtDeviceGetMemPool(pool, device); });
}
simtDrvResult simtDrvDeviceSetMemPool(simtDrvDevice device, simtDrvMemoryPool pool) {
  return result([&] { return simtDeviceSetMemPool(device, pool); });
}

simtDrvResult simtDrvStreamBeginCapture(simtDrvStream stream, simtDrvStreamCaptureMode mode) {
  return result([&] { return simtStreamBeginCapture(stream, static_cast<simtStreamCaptureMode>(mode)); });
}
simtDrvResult simtDrvStreamEndCapture(simtDrvStream stream, simtDrvGraph* graph) {
  return result([&] { return simtStreamEndCapture(stream, graph); });
}
simtDrvResult simtDrvStreamIsCapturing(simtDrvStream stream, simtDrvStreamCaptureStatus* status) {
  if (status == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  simtStreamCaptureStatus found{};
  const simtDrvResult error = result([&] { return simtStreamIsCapturing(stream, &found); });
  if (error == SIMT_DRV_SUCCESS) *status = static_cast<simtDrvStreamCaptureStatus>(found);
  return error;
}
simtDrvResult simtDrvThreadExchangeStreamCaptureMode(simtDrvStreamCaptureMode* mode) {
  if (mode == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  auto exchanged = static_cast<simtStreamCaptureMode>(*mode);
  const simtDrvResult error = result([&] { return simtThreadExchangeStreamCaptureMode(&exchanged); });
  if (error == SIMT_DRV_SUCCESS) *mode = static_cast<simtDrvStreamCaptureMode>(exchanged);
  return error;
}

simtDrvResult simtDrvGraphCreate(simtDrvGraph* graph, unsigned flags) {
  return result([&] { return simtGraphCreate(graph, flags); });
}
simtDrvResult simtDrvGraphClone(simtDrvGraph* clone, simtDrvGraph original) {
  return result([&] { return simtGraphClone(clone, original); });
}
simtDrvResult simtDrvGraphDestroy(simtDrvGraph graph) {
  return result([&] { return simtGraphDestroy(graph); });
}
simtDrvResult simtDrvGraphGetNodes(simtDrvGraph graph, simtDrvGraphNode* nodes, std::size_t* count) {
  return result([&] { return simtGraphGetNodes(graph, nodes, count); });
}
simtDrvResult simtDrvGraphInstantiate(simtDrvGraphExec* exec, simtDrvGraph graph, unsigned long long flags) {
  return result([&] { return simtGraphInstantiate(exec, graph, flags); });
}
simtDrvResult simtDrvGraphInstantiateWithFlags(simtDrvGraphExec* exec, simtDrvGraph graph, unsigned long long flags) {
  return result([&] { return simtGraphInstantiateWithFlags(exec, graph, flags); });
}
simtDrvResult simtDrvGraphUpload(simtDrvGraphExec exec, simtDrvStream stream) {
  return result([&] { return simtGraphUpload(exec, stream); });
}
simtDrvResult simtDrvGraphLaunch(simtDrvGraphExec exec, simtDrvStream stream) {
  return result([&] { return simtGraphLaunch(exec, stream); });
}
simtDrvResult simtDrvGraphExecDestroy(simtDrvGraphExec exec) {
  return result([&] { return simtGraphExecDestroy(exec); });
}
