// Queries of the driver API about memory, pointers, limits, and handles for other processes.
#include "api/driver_contexts.h"
#include "api/driver_pointers.h"
#include "api/driver_result.h"
#include "memory/memory.h"

#include <simt_driver.h>
#include <simt_runtime_api.h>

#include <cstddef>
#include <cstring>

namespace {

using namespace simtrt;

template <class T>
bool store(void* data, T value) {
  *static_cast<T*>(data) = value;
  return true;
}

// Stores an attribute of known memory. False for an attribute that the memory lacks.
bool store_attribute(void* data, simtDrvPointer_attribute attribute, const Allocation& memory, char* address) {
  const bool on_device = memory.kind != MemoryKind::kHost && memory.kind != MemoryKind::kRegistered;
  simtDrvContext context = nullptr;
  switch (attribute) {
    case SIMT_DRV_POINTER_ATTRIBUTE_CONTEXT:
      if (simtDrvDevicePrimaryCtxRetain(&context, memory.device) != SIMT_DRV_SUCCESS) return false;
      simtDrvDevicePrimaryCtxRelease(memory.device);
      return store(data, context);
    case SIMT_DRV_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return store<unsigned>(data, on_device ? SIMT_DRV_MEMORYTYPE_DEVICE : SIMT_DRV_MEMORYTYPE_HOST);
    case SIMT_DRV_POINTER_ATTRIBUTE_DEVICE_POINTER: return store(data, device_pointer(address));
    case SIMT_DRV_POINTER_ATTRIBUTE_HOST_POINTER:
      return !is_device_memory(memory.kind) && store<void*>(data, address);
    case SIMT_DRV_POINTER_ATTRIBUTE_IS_MANAGED: return store(data, memory.kind == MemoryKind::kManaged);
    case SIMT_DRV_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return store(data, memory.device);
    case SIMT_DRV_POINTER_ATTRIBUTE_RANGE_START_ADDR: return store(data, device_pointer(memory.begin));
    case SIMT_DRV_POINTER_ATTRIBUTE_RANGE_SIZE: return store(data, memory.size);
    case SIMT_DRV_POINTER_ATTRIBUTE_MAPPED: return store(data, true);
  }
  return false;
}

std::size_t size_of(simtDrvPointer_attribute attribute) {
  switch (attribute) {
    case SIMT_DRV_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case SIMT_DRV_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return 4;
    case SIMT_DRV_POINTER_ATTRIBUTE_IS_MANAGED:
    case SIMT_DRV_POINTER_ATTRIBUTE_MAPPED: return 1;
    default: return 8;
  }
}

bool is_known(simtDrvPointer_attribute attribute) {
  const int number = attribute;
  return (number >= SIMT_DRV_POINTER_ATTRIBUTE_CONTEXT && number <= SIMT_DRV_POINTER_ATTRIBUTE_HOST_POINTER) ||
         number == SIMT_DRV_POINTER_ATTRIBUTE_IS_MANAGED || number == SIMT_DRV_POINTER_ATTRIBUTE_DEVICE_ORDINAL ||
         (number >= SIMT_DRV_POINTER_ATTRIBUTE_RANGE_START_ADDR && number <= SIMT_DRV_POINTER_ATTRIBUTE_MAPPED);
}

// Calls `use` while the device is the current one.
template <class Use>
simtDrvResult on_device(simtDrvDevice device, Use use) {
  return result([&] {
    int before = 0;
    if (const simtError_t error = simtGetDevice(&before)) return error;
    simtError_t error = simtSetDevice(device);
    if (error == simtSuccess) error = use();
    simtSetDevice(before);
    return error;
  });
}

}  // namespace

simtDrvResult simtDrvMemGetAddressRange(simtDrvDeviceptr* begin, std::size_t* bytes, simtDrvDeviceptr pointer) {
  const auto memory = MemoryMap::instance().find(address_of(pointer));
  if (!memory) return SIMT_DRV_ERROR_NOT_FOUND;
  if (begin != nullptr) *begin = device_pointer(memory->begin);
  if (bytes != nullptr) *bytes = memory->size;
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvPointerGetAttribute(void* data, simtDrvPointer_attribute attribute, simtDrvDeviceptr pointer) {
  const auto memory = MemoryMap::instance().find(address_of(pointer));
  if (data == nullptr || !memory) return SIMT_DRV_ERROR_INVALID_VALUE;
  const bool stored = store_attribute(data, attribute, *memory, address_of(pointer));
  return stored ? SIMT_DRV_SUCCESS : SIMT_DRV_ERROR_INVALID_VALUE;
}

simtDrvResult simtDrvPointerGetAttributes(unsigned count, simtDrvPointer_attribute* attributes, void** data,
                                          simtDrvDeviceptr pointer) {
  if (attributes == nullptr || data == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  const auto memory = MemoryMap::instance().find(address_of(pointer));
  for (unsigned i = 0; i < count; ++i) {
    if (data[i] == nullptr || !is_known(attributes[i])) return SIMT_DRV_ERROR_INVALID_VALUE;
    if (!memory || !store_attribute(data[i], attributes[i], *memory, address_of(pointer)))
      std::memset(data[i], 0, size_of(attributes[i]));
  }
  return SIMT_DRV_SUCCESS;
}

simtDrvResult simtDrvMemHostGetFlags(unsigned* flags, void* host) {
  return result([&] { return simtHostGetFlags(flags, host); });
}

simtDrvResult simtDrvCtxGetLimit(std::size_t* value, simtDrvLimit limit) {
  return result([&] { return simtDeviceGetLimit(value, static_cast<simtLimit>(limit)); });
}
simtDrvResult simtDrvCtxSetLimit(simtDrvLimit limit, std::size_t value) {
  return result([&] { return simtDeviceSetLimit(static_cast<simtLimit>(limit), value); });
}
simtDrvResult simtDrvCtxGetCacheConfig(simtDrvFunc_cache* config) {
  if (config == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  simtFuncCache found{};
  const simtDrvResult error = result([&] { return simtDeviceGetCacheConfig(&found); });
  if (error == SIMT_DRV_SUCCESS) *config = static_cast<simtDrvFunc_cache>(found);
  return error;
}
simtDrvResult simtDrvCtxSetCacheConfig(simtDrvFunc_cache config) {
  return result([&] { return simtDeviceSetCacheConfig(static_cast<simtFuncCache>(config)); });
}
simtDrvResult simtDrvCtxGetFlags(unsigned* flags) {
  return result([&] { return simtGetDeviceFlags(flags); });
}
simtDrvResult simtDrvCtxGetStreamPriorityRange(int* least, int* greatest) {
  return result([&] { return simtDeviceGetStreamPriorityRange(least, greatest); });
}
simtDrvResult simtDrvDevicePrimaryCtxSetFlags(simtDrvDevice device, unsigned flags) {
  return on_device(device, [&] { return simtSetDeviceFlags(flags); });
}
simtDrvResult simtDrvDevicePrimaryCtxReset(simtDrvDevice device) {
  return on_device(device, [] { return simtDeviceReset(); });
}
simtDrvResult simtDrvDeviceGetByPCIBusId(simtDrvDevice* device, const char* bus_id) {
  return result([&] { return simtDeviceGetByPCIBusId(device, bus_id); });
}

simtDrvResult simtDrvIpcGetMemHandle(simtDrvIpcMemHandle* handle, simtDrvDeviceptr pointer) {
  return result([&] { return simtIpcGetMemHandle(handle, address_of(pointer)); });
}
simtDrvResult simtDrvIpcOpenMemHandle(simtDrvDeviceptr* pointer, simtDrvIpcMemHandle handle, unsigned flags) {
  if (pointer == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  void* opened = nullptr;
  const simtDrvResult error = result([&] { return simtIpcOpenMemHandle(&opened, handle, flags); });
  if (error == SIMT_DRV_SUCCESS) *pointer = device_pointer(opened);
  return error;
}
simtDrvResult simtDrvIpcCloseMemHandle(simtDrvDeviceptr pointer) {
  return result([&] { return simtIpcCloseMemHandle(address_of(pointer)); });
}
simtDrvResult simtDrvIpcGetEventHandle(simtDrvIpcEventHandle* handle, simtEvent_t event) {
  return result([&] { return simtIpcGetEventHandle(handle, event); });
}
simtDrvResult simtDrvIpcOpenEventHandle(simtEvent_t* event, simtDrvIpcEventHandle handle) {
  return result([&] { return simtIpcOpenEventHandle(event, handle); });
}
