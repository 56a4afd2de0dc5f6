// Functions of the driver API that call the runtime API. Errors have the same numbers in both APIs.
#include "api/driver_contexts.h"
#include "api/driver_pointers.h"
#include "api/driver_result.h"

#include <simt.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using simtrt::address_of;
using simtrt::driver_result;
using simtrt::result;

// Calls `allocate`, which stores an address, and gives the address to `*pointer`.
template <class Allocate>
simtDrvResult store(simtDrvDeviceptr* pointer, Allocate allocate) {
  if (pointer == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  void* made = nullptr;
  const simtrt::KeptLastError kept;
  const simtError_t error = allocate(&made);
  if (error == simtSuccess) *pointer = simtrt::device_pointer(made);
  return driver_result(error);
}

// Calls use(properties) with the properties of the device.
template <class Use>
simtDrvResult with_properties(simtDrvDevice device, Use use) {
  simtDeviceProp properties;
  const simtDrvResult error = result([&] { return simtGetDeviceProperties(&properties, device); });
  if (error == SIMT_DRV_SUCCESS) use(properties);
  return error;
}

// Stores `count` values with the width of T, as a fill of rows with repeated bytes cannot.
template <class T>
simtDrvResult fill(simtDrvDeviceptr to, T value, std::size_t count) {
  const std::vector<T> values(count, value);
  return result([&] { return simtMemcpy(address_of(to), values.data(), count * sizeof(T), simtMemcpyHostToDevice); });
}

// Attributes of the driver API that the runtime API lacks: means of sharing and mapping memory.
bool is_only_drivers(int attribute) {
  for (const int one : {92, 93, 94, 104, 105, 107, 110, 122, 123, 124, 127, 128, 129, 132})
    if (attribute == one) return true;
  return false;
}

thread_local std::vector<simtDrvContext> pushed;

}  // namespace

simtDrvResult simtDrvDeviceGetAttribute(int* value, simtDrvDevice_attribute attribute,
                                        simtDrvDevice device) {
  if (value == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  const bool is_virtual_memory =
      attribute == SIMT_DRV_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
      attribute == SIMT_DRV_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED;
  if (is_virtual_memory || is_only_drivers(attribute)) {
    *value = is_virtual_memory;
    return SIMT_DRV_SUCCESS;
  }
  return result([&] { return simtDeviceGetAttribute(value, static_cast<simtDeviceAttr>(attribute), device); });
}
simtDrvResult simtDrvDeviceTotalMem(std::size_t* bytes, simtDrvDevice device) {
  if (bytes == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const simtDeviceProp& found) { *bytes = found.totalGlobalMem; });
}
simtDrvResult simtDrvDeviceGetUuid(simtUUID_t* uuid, simtDrvDevice device) {
  if (uuid == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const simtDeviceProp& found) { *uuid = found.uuid; });
}
simtDrvResult simtDrvDeviceComputeCapability(int* major, int* minor, simtDrvDevice device) {
  if (major == nullptr || minor == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const simtDeviceProp& found) {
    *major = found.major;
    *minor = found.minor;
  });
}
simtDrvResult simtDrvDeviceCanAccessPeer(int* can, simtDrvDevice device, simtDrvDevice peer) {
  return result([&] { return simtDeviceCanAccessPeer(can, device, peer); });
}
simtDrvResult simtDrvDeviceGetPCIBusId(char* bus_id, int length, simtDrvDevice device) {
  return result([&] { return simtDeviceGetPCIBusId(bus_id, length, device); });
}

simtDrvResult simtDrvCtxCreate(simtDrvContext* context, unsigned, simtDrvDevice device) {
  simtDrvContext current = nullptr;
  if (context == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (const simtDrvResult error = simtDrvDevicePrimaryCtxRetain(context, device)) return error;
  if (simtDrvCtxGetCurrent(&current) == SIMT_DRV_SUCCESS) pushed.push_back(current);
  return simtDrvCtxSetCurrent(*context);
}
simtDrvResult simtDrvCtxDestroy(simtDrvContext context) {
  const int device = simtrt::device_of(context);
  return device < 0 ? SIMT_DRV_ERROR_INVALID_CONTEXT : simtDrvDevicePrimaryCtxRelease(device);
}
simtDrvResult simtDrvCtxSynchronize() { return result([&] { return simtDeviceSynchronize(); }); }
simtDrvResult simtDrvCtxGetDevice(simtDrvDevice* device) { return result([&] { return simtGetDevice(device); }); }
simtDrvResult simtDrvCtxPushCurrent(simtDrvContext context) {
  simtDrvContext current = nullptr;
  if (const simtDrvResult error = simtDrvCtxGetCurrent(&current)) return error;
  if (const simtDrvResult error = simtDrvCtxSetCurrent(context)) return error;
  pushed.push_back(current);
  return SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvCtxPopCurrent(simtDrvContext* context) {
  simtDrvContext current = nullptr;
  if (const simtDrvResult error = simtDrvCtxGetCurrent(&current)) return error;
  if (context != nullptr) *context = current;
  if (pushed.empty()) return SIMT_DRV_SUCCESS;  // The primary context stays current.
  const simtDrvContext below = pushed.back();
  pushed.pop_back();
  return simtDrvCtxSetCurrent(below);
}

simtDrvResult simtDrvMemAlloc(simtDrvDeviceptr* pointer, std::size_t bytes) {
  if (bytes == 0) {
    if (pointer != nullptr) *pointer = 0;
    return SIMT_DRV_ERROR_INVALID_VALUE;
  }
  return store(pointer, [&](void** made) { return simtMalloc(made, bytes); });
}
simtDrvResult simtDrvMemAllocManaged(simtDrvDeviceptr* pointer, std::size_t bytes, unsigned flags) {
  if (bytes == 0) return SIMT_DRV_ERROR_INVALID_VALUE;
  return store(pointer, [&](void** made) { return simtMallocManaged(made, bytes, flags); });
}
simtDrvResult simtDrvMemAllocPitch(simtDrvDeviceptr* pointer, std::size_t* pitch, std::size_t width,
                                   std::size_t height, unsigned element_bytes) {
  const bool is_element = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
  if (!is_element || width == 0 || height == 0) {
    if (pitch != nullptr) *pitch = 0;
    return SIMT_DRV_ERROR_INVALID_VALUE;
  }
  return store(pointer, [&](void** made) { return simtMallocPitch(made, pitch, width, height); });
}
simtDrvResult simtDrvMemFree(simtDrvDeviceptr pointer) { return result([&] { return simtFree(address_of(pointer)); }); }
simtDrvResult simtDrvMemAllocHost(void** pointer, std::size_t bytes) {
  return result([&] { return simtMallocHost(pointer, bytes); });
}
simtDrvResult simtDrvMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return result([&] { return simtHostAlloc(pointer, bytes, flags); });
}
simtDrvResult simtDrvMemFreeHost(void* pointer) { return result([&] { return simtFreeHost(pointer); }); }
simtDrvResult simtDrvMemHostGetDevicePointer(simtDrvDeviceptr* device, void* host, unsigned flags) {
  return store(device, [&](void** made) { return simtHostGetDevicePointer(made, host, flags); });
}
simtDrvResult simtDrvMemHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return result([&] { return simtHostRegister(pointer, bytes, flags); });
}
simtDrvResult simtDrvMemHostUnregister(void* pointer) { return result([&] { return simtHostUnregister(pointer); }); }
simtDrvResult simtDrvMemGetInfo(std::size_t* free, std::size_t* total) {
  return result([&] { return simtMemGetInfo(free, total); });
}
simtDrvResult simtDrvMemcpy(simtDrvDeviceptr to, simtDrvDeviceptr from, std::size_t bytes) {
  return result([&] { return simtMemcpy(address_of(to), address_of(from), bytes, simtMemcpyDefault); });
}
simtDrvResult simtDrvMemcpyHtoD(simtDrvDeviceptr to, const void* from, std::size_t bytes) {
  return result([&] { return simtMemcpy(address_of(to), from, bytes, simtMemcpyHostToDevice); });
}
simtDrvResult simtDrvMemcpyDtoH(void* to, simtDrvDeviceptr from, std::size_t bytes) {
  return result([&] { return simtMemcpy(to, address_of(from), bytes, simtMemcpyDeviceToHost); });
}
simtDrvResult simtDrvMemcpyDtoD(simtDrvDeviceptr to, simtDrvDeviceptr from, std::size_t bytes) {
  return result([&] { return simtMemcpy(address_of(to), address_of(from), bytes, simtMemcpyDeviceToDevice); });
}
simtDrvResult simtDrvMemcpyAsync(simtDrvDeviceptr to, simtDrvDeviceptr from, std::size_t bytes,
                                 simtDrvStream stream) {
  return result([&] { return simtMemcpyAsync(address_of(to), address_of(from), bytes, simtMemcpyDefault, stream); });
}
simtDrvResult simtDrvMemcpyHtoDAsync(simtDrvDeviceptr to, const void* from, std::size_t bytes,
                                     simtDrvStream stream) {
  return result([&] { return simtMemcpyAsync(address_of(to), from, bytes, simtMemcpyHostToDevice, stream); });
}
simtDrvResult simtDrvMemcpyDtoHAsync(void* to, simtDrvDeviceptr from, std::size_t bytes,
                                     simtDrvStream stream) {
  return result([&] { return simtMemcpyAsync(to, address_of(from), bytes, simtMemcpyDeviceToHost, stream); });
}
simtDrvResult simtDrvMemcpyDtoDAsync(simtDrvDeviceptr to, simtDrvDeviceptr from, std::size_t bytes,
                                     simtDrvStream stream) {
  return result([&] { return simtMemcpyAsync(address_of(to), address_of(from), bytes, simtMemcpyDeviceToDevice, stream); });
}
simtDrvResult simtDrvMemsetD8(simtDrvDeviceptr to, unsigned char value, std::size_t count) {
  return result([&] { return simtMemset(address_of(to), value, count); });
}
simtDrvResult simtDrvMemsetD16(simtDrvDeviceptr to, unsigned short value, std::size_t count) {
  if (to % sizeof value != 0) return SIMT_DRV_ERROR_INVALID_VALUE;
  return fill(to, value, count);
}
simtDrvResult simtDrvMemsetD32(simtDrvDeviceptr to, unsigned value, std::size_t count) {
  if (to % sizeof value != 0) return SIMT_DRV_ERROR_INVALID_VALUE;
  return fill(to, value, count);
}
simtDrvResult simtDrvMemsetD8Async(simtDrvDeviceptr to, unsigned char value, std::size_t count,
                                   simtDrvStream stream) {
  return result([&] { return simtMemsetAsync(address_of(to), value, count, stream); });
}

simtDrvResult simtDrvStreamCreate(simtDrvStream* stream, unsigned flags) {
  return result([&] { return simtStreamCreateWithFlags(stream, flags); });
}
simtDrvResult simtDrvStreamCreateWithPriority(simtDrvStream* stream, unsigned flags, int priority) {
  return result([&] { return simtStreamCreateWithPriority(stream, flags, priority); });
}
simtDrvResult simtDrvStreamDestroy(simtDrvStream stream) {
  return result([&] { return simtStreamDestroy(stream); });
}
simtDrvResult simtDrvStreamSynchronize(simtDrvStream stream) {
  return result([&] { return simtStreamSynchronize(stream); });
}
simtDrvResult simtDrvStreamQuery(simtDrvStream stream) { return result([&] { return simtStreamQuery(stream); }); }
simtDrvResult simtDrvStreamWaitEvent(simtDrvStream stream, simtDrvEvent event, unsigned flags) {
  return result([&] { return simtStreamWaitEvent(stream, event, flags); });
}
simtDrvResult simtDrvEventCreate(simtDrvEvent* event, unsigned flags) {
  return result([&] { return simtEventCreateWithFlags(event, flags); });
}
simtDrvResult simtDrvEventDestroy(simtDrvEvent event) { return result([&] { return simtEventDestroy(event); }); }
simtDrvResult simtDrvEventRecord(simtDrvEvent event, simtDrvStream stream) {
  return result([&] { return simtEventRecord(event, stream); });
}
simtDrvResult simtDrvEventSynchronize(simtDrvEvent event) {
  return result([&] { return simtEventSynchronize(event); });
}
simtDrvResult simtDrvEventQuery(simtDrvEvent event) { return result([&] { return simtEventQuery(event); }); }
simtDrvResult simtDrvEventElapsedTime(float* milliseconds, simtDrvEvent start, simtDrvEvent end) {
  return result([&] { return simtEventElapsedTime(milliseconds, start, end); });
}
