// Queries of the driver API about memory, pointers, limits and devices. CUDA Driver API, "Unified Addressing", "Context Management".
#include "driver_test.h"

#include <cstddef>
#include <cstdint>

namespace {

/// Attribute of a pointer, which the memory must have.
template <class T>
T attribute_of(simtDrvDeviceptr pointer, simtDrvPointer_attribute attribute) {
  T value{};
  REQUIRE_DRV(simtDrvPointerGetAttribute(&value, attribute, pointer));
  return value;
}

TEST_CASE("the address range of device memory is its allocation") {
  simtDrvDeviceptr memory = 0, begin = 0;
  std::size_t bytes = 0;
  REQUIRE_DRV(simtDrvMemAlloc(&memory, 3000));
  CHECK_DRV(simtDrvMemGetAddressRange(&begin, &bytes, memory + 2999));
  CHECK_EQ(begin, memory);
  CHECK_EQ(bytes, 3000u);
  CHECK_DRV(simtDrvMemGetAddressRange(nullptr, nullptr, memory));
  REQUIRE_DRV(simtDrvMemFree(memory));
  CHECK_EQ(simtDrvMemGetAddressRange(&begin, &bytes, memory), SIMT_DRV_ERROR_NOT_FOUND);
}

TEST_CASE("attributes of pointers to device, managed and host memory") {
  simtDrvDeviceptr device = 0, managed = 0;
  void* host = nullptr;
  REQUIRE_DRV(simtDrvMemAlloc(&device, 256));
  REQUIRE_DRV(simtDrvMemAllocManaged(&managed, 512, SIMT_DRV_MEM_ATTACH_GLOBAL));
  REQUIRE_DRV(simtDrvMemHostAlloc(&host, 64, SIMT_DRV_MEMHOSTALLOC_PORTABLE));
  const simtDrvDeviceptr of_host = device_pointer(host);

  const auto type = SIMT_DRV_POINTER_ATTRIBUTE_MEMORY_TYPE;
  CHECK_EQ(attribute_of<unsigned>(device, type), SIMT_DRV_MEMORYTYPE_DEVICE);
  CHECK_EQ(attribute_of<unsigned>(managed, type), SIMT_DRV_MEMORYTYPE_DEVICE);
  CHECK_EQ(attribute_of<unsigned>(of_host, type), SIMT_DRV_MEMORYTYPE_HOST);
  CHECK_FALSE(attribute_of<bool>(device, SIMT_DRV_POINTER_ATTRIBUTE_IS_MANAGED));
  CHECK(attribute_of<bool>(managed, SIMT_DRV_POINTER_ATTRIBUTE_IS_MANAGED));
  CHECK_EQ(attribute_of<void*>(of_host, SIMT_DRV_POINTER_ATTRIBUTE_HOST_POINTER), host);
  CHECK_EQ(attribute_of<simtDrvDeviceptr>(of_host + 8, SIMT_DRV_POINTER_ATTRIBUTE_DEVICE_POINTER), of_host + 8);
  CHECK_EQ(attribute_of<int>(device, SIMT_DRV_POINTER_ATTRIBUTE_DEVICE_ORDINAL), 0);
  CHECK_EQ(attribute_of<simtDrvDeviceptr>(device + 9, SIMT_DRV_POINTER_ATTRIBUTE_RANGE_START_ADDR), device);
  CHECK_EQ(attribute_of<std::size_t>(managed, SIMT_DRV_POINTER_ATTRIBUTE_RANGE_SIZE), 512u);
  simtDrvContext current = nullptr;
  REQUIRE_DRV(simtDrvCtxGetCurrent(&current));
  CHECK_EQ(attribute_of<simtDrvContext>(device, SIMT_DRV_POINTER_ATTRIBUTE_CONTEXT), current);

  void* no_host = nullptr;
  CHECK_EQ(simtDrvPointerGetAttribute(&no_host, SIMT_DRV_POINTER_ATTRIBUTE_HOST_POINTER, device),
           SIMT_DRV_ERROR_INVALID_VALUE);
  unsigned found = 7;
  int local = 0;
  CHECK_EQ(simtDrvPointerGetAttribute(&found, type, device_pointer(&local)), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvPointerGetAttribute(nullptr, type, device), SIMT_DRV_ERROR_INVALID_VALUE);

  unsigned flags = 0;
  CHECK_DRV(simtDrvMemHostGetFlags(&flags, host));
  CHECK_EQ(flags & SIMT_DRV_MEMHOSTALLOC_PORTABLE, SIMT_DRV_MEMHOSTALLOC_PORTABLE);
  REQUIRE_DRV(simtDrvMemFreeHost(host));
  REQUIRE_DRV(simtDrvMemFree(managed));
  REQUIRE_DRV(simtDrvMemFree(device));
}

TEST_CASE("several attributes of a pointer: those that it lacks are zero") {
  int local = 0;
  unsigned type = 7;
  std::size_t bytes = 7;
  simtDrvPointer_attribute attributes[] = {SIMT_DRV_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                           SIMT_DRV_POINTER_ATTRIBUTE_RANGE_SIZE};
  void* data[] = {&type, &bytes};
  CHECK_DRV(simtDrvPointerGetAttributes(2, attributes, data, device_pointer(&local)));
  CHECK_EQ(type, 0u);
  CHECK_EQ(bytes, 0u);
  simtDrvDeviceptr memory = 0;
  REQUIRE_DRV(simtDrvMemAlloc(&memory, 1000));
  CHECK_DRV(simtDrvPointerGetAttributes(2, attributes, data, memory));
  CHECK_EQ(type, SIMT_DRV_MEMORYTYPE_DEVICE);
  CHECK_EQ(bytes, 1000u);
  attributes[1] = static_cast<simtDrvPointer_attribute>(99);
  CHECK_EQ(simtDrvPointerGetAttributes(2, attributes, data, memory), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvPointerGetAttributes(2, nullptr, data, memory), SIMT_DRV_ERROR_INVALID_VALUE);
  REQUIRE_DRV(simtDrvMemFree(memory));
}

TEST_CASE("limits and properties of a context are those of the device") {
  std::size_t before = 0, of_runtime = 0;
  REQUIRE_DRV(simtDrvCtxGetLimit(&before, SIMT_DRV_LIMIT_MALLOC_HEAP_SIZE));
  CHECK_DRV(simtDrvCtxSetLimit(SIMT_DRV_LIMIT_MALLOC_HEAP_SIZE, 16u << 20));
  REQUIRE_OK(simtDeviceGetLimit(&of_runtime, simtLimitMallocHeapSize));
  CHECK_GE(of_runtime, 16u << 20);
  CHECK_DRV(simtDrvCtxSetLimit(SIMT_DRV_LIMIT_MALLOC_HEAP_SIZE, before));
  CHECK_EQ(simtDrvCtxGetLimit(nullptr, SIMT_DRV_LIMIT_STACK_SIZE), SIMT_DRV_ERROR_INVALID_VALUE);

  simtDrvFunc_cache config = SIMT_DRV_FUNC_CACHE_PREFER_EQUAL;
  CHECK_DRV(simtDrvCtxSetCacheConfig(SIMT_DRV_FUNC_CACHE_PREFER_SHARED));
  CHECK_DRV(simtDrvCtxGetCacheConfig(&config));
  simtFuncCache same{};
  REQUIRE_OK(simtDeviceGetCacheConfig(&same));
  CHECK_EQ(static_cast<int>(config), static_cast<int>(same));
  CHECK_EQ(simtDrvCtxGetCacheConfig(nullptr), SIMT_DRV_ERROR_INVALID_VALUE);

  int least = -1, greatest = 1;
  CHECK_DRV(simtDrvCtxGetStreamPriorityRange(&least, &greatest));
  CHECK_LE(greatest, least);
  unsigned flags = 99;
  CHECK_DRV(simtDrvCtxGetFlags(&flags));
  CHECK_NE(flags, 99u);
}

TEST_CASE("a device is found by its address on the bus") {
  char bus_id[32];
  simtDrvDevice device = -1;
  REQUIRE_DRV(simtDrvDeviceGetPCIBusId(bus_id, sizeof bus_id, 0));
  CHECK_DRV(simtDrvDeviceGetByPCIBusId(&device, bus_id));
  CHECK_EQ(device, 0);
  CHECK_EQ(simtDrvDeviceGetByPCIBusId(&device, "nonsense"), SIMT_DRV_ERROR_INVALID_VALUE);
}

TEST_CASE("a handle of memory is that of the runtime API") {
  simtDrvDeviceptr memory = 0;
  REQUIRE_DRV(simtDrvMemAlloc(&memory, 4096));
  simtDrvIpcMemHandle handle;
  simtIpcMemHandle_t same;
  CHECK_DRV(simtDrvIpcGetMemHandle(&handle, memory));
  CHECK_OK(simtIpcGetMemHandle(&same, reinterpret_cast<void*>(memory)));
  CHECK_EQ(simtDrvIpcGetMemHandle(nullptr, memory), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvIpcOpenMemHandle(nullptr, handle, 0), SIMT_DRV_ERROR_INVALID_VALUE);
  REQUIRE_DRV(simtDrvMemFree(memory));
}

}  // namespace
