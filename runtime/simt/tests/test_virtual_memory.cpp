// Virtual memory of the driver API.
#include "kernel_test.h"

#include <simt_driver.h>

#include <unistd.h>

#include <cstdint>
#include <numeric>

namespace {

constexpr std::size_t kUnit = std::size_t{2} << 20;

#define REQUIRE_DRV(call) REQUIRE_EQ(call, SIMT_DRV_SUCCESS)

simtDrvMemAllocationProp pinned() {
  simtDrvMemAllocationProp properties{};
  properties.type = SIMT_DRV_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = SIMT_DRV_MEM_LOCATION_TYPE_DEVICE;
  properties.requestedHandleTypes = SIMT_DRV_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return properties;
}

simtDrvMemGenericAllocationHandle create(std::size_t bytes = kUnit) {
  const simtDrvMemAllocationProp properties = pinned();
  simtDrvMemGenericAllocationHandle handle = 0;
  REQUIRE_DRV(simtDrvMemCreate(&handle, bytes, &properties, 0));
  return handle;
}

simtDrvDeviceptr reserve(std::size_t bytes) {
  simtDrvDeviceptr begin = 0;
  REQUIRE_DRV(simtDrvMemAddressReserve(&begin, bytes, 0, 0, 0));
  return begin;
}

void allow(simtDrvDeviceptr begin, std::size_t bytes) {
  const simtDrvMemAccessDesc access{{SIMT_DRV_MEM_LOCATION_TYPE_DEVICE, 0},
                                    SIMT_DRV_MEM_ACCESS_FLAGS_PROT_READWRITE};
  REQUIRE_DRV(simtDrvMemSetAccess(begin, bytes, &access, 1));
}

int* ints(simtDrvDeviceptr pointer) {
  return reinterpret_cast<int*>(static_cast<std::uintptr_t>(pointer));
}

__global__ void count_up(int* values) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  values[i] = i;
}

}  // namespace

TEST_CASE("a range of addresses grows by mappings, and copies cross their borders") {
  simtDrvDevice device = 0;
  REQUIRE_DRV(simtDrvInit(0));
  int supported = 0;
  REQUIRE_DRV(simtDrvDeviceGetAttribute(
      &supported, SIMT_DRV_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  CHECK_EQ(supported, 1);
  std::size_t granularity = 0;
  const simtDrvMemAllocationProp properties = pinned();
  REQUIRE_DRV(simtDrvMemGetAllocationGranularity(&granularity, &properties,
                                                 SIMT_DRV_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK_EQ(granularity, kUnit);
  std::size_t free_before = 0, free_now = 0, total = 0;
  REQUIRE_OK(simtMemGetInfo(&free_before, &total));

  const simtDrvDeviceptr begin = reserve(4 * kUnit);
  for (int part = 0; part < 2; ++part) {
    const auto handle = create();
    REQUIRE_DRV(simtDrvMemMap(begin + part * kUnit, kUnit, 0, handle, 0));
    REQUIRE_DRV(simtDrvMemRelease(handle));  // the mapping keeps the memory
  }
  allow(begin, 2 * kUnit);
  REQUIRE_OK(simtMemGetInfo(&free_now, &total));
  CHECK_LE(free_now + 2 * kUnit, free_before);

  constexpr int kCount = 2 * kUnit / sizeof(int);
  SIMT_LAUNCH((count_up), (kCount / 256), (256), (0), (0), ints(begin));
  std::vector<int> all(kCount), expected(kCount);
  std::iota(expected.begin(), expected.end(), 0);
  REQUIRE_OK(simtMemcpy(all.data(), ints(begin), 2 * kUnit, simtMemcpyDeviceToHost));
  CHECK_EQ(all == expected, true);

  simtPointerAttributes attributes{};
  REQUIRE_OK(simtPointerGetAttributes(&attributes, ints(begin + kUnit)));
  CHECK_EQ(attributes.type, simtMemoryTypeDevice);
  CHECK_NE(simtFree(ints(begin)), simtSuccess);
  simtGetLastError();

  // A mapping in the middle of a run is removed; the others stay.
  REQUIRE_DRV(simtDrvMemUnmap(begin, kUnit));
  CHECK_EQ(simtMemcpy(all.data(), ints(begin), 4, simtMemcpyDeviceToHost), simtErrorInvalidValue);
  simtGetLastError();
  REQUIRE_OK(simtMemcpy(all.data(), ints(begin + kUnit), 4, simtMemcpyDeviceToHost));
  CHECK_EQ(all[0], kCount / 2);
  REQUIRE_DRV(simtDrvMemUnmap(begin + kUnit, kUnit));
  REQUIRE_DRV(simtDrvMemAddressFree(begin, 4 * kUnit));
  REQUIRE_OK(simtMemGetInfo(&free_now, &total));
  CHECK_EQ(free_now, free_before);
}

TEST_CASE("one memory at two addresses, and its access") {
  const auto handle = create();
  const simtDrvDeviceptr begin = reserve(2 * kUnit);
  REQUIRE_DRV(simtDrvMemMap(begin, kUnit, 0, handle, 0));
  REQUIRE_DRV(simtDrvMemMap(begin + kUnit, kUnit, 0, handle, 0));
  const simtDrvMemLocation location{SIMT_DRV_MEM_LOCATION_TYPE_DEVICE, 0};
  unsigned long long flags = 9;
  REQUIRE_DRV(simtDrvMemGetAccess(&flags, &location, begin));
  CHECK_EQ(flags, SIMT_DRV_MEM_ACCESS_FLAGS_PROT_NONE);
  allow(begin, 2 * kUnit);
  REQUIRE_DRV(simtDrvMemGetAccess(&flags, &location, begin + 5));
  CHECK_EQ(flags, SIMT_DRV_MEM_ACCESS_FLAGS_PROT_READWRITE);
  SIMT_LAUNCH((count_up), (1), (32), (0), (0), ints(begin));
  int value = 0;
  REQUIRE_OK(simtMemcpy(&value, ints(begin + kUnit) + 31, 4, simtMemcpyDeviceToHost));
  CHECK_EQ(value, 31);

  simtDrvMemGenericAllocationHandle same = 0;
  REQUIRE_DRV(simtDrvMemRetainAllocationHandle(&same, ints(begin)));
  CHECK_EQ(same, handle);
  REQUIRE_DRV(simtDrvMemRelease(same));
  simtDrvMemAllocationProp found{};
  REQUIRE_DRV(simtDrvMemGetAllocationPropertiesFromHandle(&found, handle));
  CHECK_EQ(found.type, SIMT_DRV_MEM_ALLOCATION_TYPE_PINNED);
  REQUIRE_DRV(simtDrvMemRelease(handle));
  CHECK_EQ(simtDrvMemRelease(handle), SIMT_DRV_ERROR_INVALID_VALUE);
  REQUIRE_DRV(simtDrvMemUnmap(begin, 2 * kUnit));
  REQUIRE_DRV(simtDrvMemAddressFree(begin, 2 * kUnit));
}

TEST_CASE("memory passes to another handle by a file descriptor") {
  const auto handle = create();
  int file = -1;
  REQUIRE_DRV(simtDrvMemExportToShareableHandle(
      &file, handle, SIMT_DRV_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  simtDrvMemGenericAllocationHandle imported = 0;
  REQUIRE_DRV(simtDrvMemImportFromShareableHandle(
      &imported, reinterpret_cast<void*>(static_cast<std::intptr_t>(file)),
      SIMT_DRV_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(file);
  const simtDrvDeviceptr begin = reserve(2 * kUnit);
  REQUIRE_DRV(simtDrvMemMap(begin, kUnit, 0, handle, 0));
  REQUIRE_DRV(simtDrvMemMap(begin + kUnit, kUnit, 0, imported, 0));
  allow(begin, 2 * kUnit);
  SIMT_LAUNCH((count_up), (1), (32), (0), (0), ints(begin + kUnit));
  int value = 0;
  REQUIRE_OK(simtMemcpy(&value, ints(begin) + 7, 4, simtMemcpyDeviceToHost));
  CHECK_EQ(value, 7);
  REQUIRE_DRV(simtDrvMemUnmap(begin, 2 * kUnit));
  REQUIRE_DRV(simtDrvMemRelease(handle));
  REQUIRE_DRV(simtDrvMemRelease(imported));
  REQUIRE_DRV(simtDrvMemAddressFree(begin, 2 * kUnit));
}

TEST_CASE("wrong ranges, sizes and handles") {
  const simtDrvMemAllocationProp properties = pinned();
  simtDrvMemGenericAllocationHandle handle = 0;
  simtDrvDeviceptr begin = 0;
  CHECK_EQ(simtDrvMemCreate(&handle, 4096, &properties, 0), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvMemCreate(&handle, ~std::size_t{0} / kUnit * kUnit, &properties, 0),
           SIMT_DRV_ERROR_OUT_OF_MEMORY);
  CHECK_EQ(simtDrvMemAddressReserve(&begin, 1, 0, 0, 0), SIMT_DRV_ERROR_INVALID_VALUE);
  begin = reserve(2 * kUnit);
  handle = create();
  CHECK_EQ(simtDrvMemMap(begin, 2 * kUnit, 0, handle, 0), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvMemMap(begin + 2 * kUnit, kUnit, 0, handle, 0), SIMT_DRV_ERROR_INVALID_VALUE);
  REQUIRE_DRV(simtDrvMemMap(begin, kUnit, 0, handle, 0));
  CHECK_EQ(simtDrvMemMap(begin, kUnit, 0, handle, 0), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvMemUnmap(begin, 2 * kUnit), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvMemAddressFree(begin, 2 * kUnit), SIMT_DRV_ERROR_INVALID_VALUE);
  REQUIRE_DRV(simtDrvMemUnmap(begin, kUnit));
  CHECK_EQ(simtDrvMemAddressFree(begin, kUnit), SIMT_DRV_ERROR_INVALID_VALUE);
  REQUIRE_DRV(simtDrvMemRelease(handle));
  REQUIRE_DRV(simtDrvMemAddressFree(begin, 2 * kUnit));
}

TEST_CASE("hints about managed memory") {
  simtDrvDeviceptr managed = 0;
  REQUIRE_DRV(simtDrvMemAllocManaged(&managed, 64, SIMT_DRV_MEM_ATTACH_GLOBAL));
  REQUIRE_DRV(simtDrvMemAdvise(managed, 64, SIMT_DRV_MEM_ADVISE_SET_PREFERRED_LOCATION, 0));
  REQUIRE_DRV(simtDrvMemPrefetchAsync(managed, 64, SIMT_DRV_DEVICE_CPU, SIMT_DRV_STREAM_PER_THREAD));
  CHECK_EQ(simtDrvMemPrefetchAsync(managed, 64, SIMT_DRV_DEVICE_INVALID, nullptr),
           SIMT_DRV_ERROR_INVALID_DEVICE);
  REQUIRE_DRV(simtDrvMemFree(managed));
}
