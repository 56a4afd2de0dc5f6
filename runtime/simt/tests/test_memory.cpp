// Memory: allocations, copies, sets, pools, and the errors of wrong pointers. CUDA Runtime API,
// "Memory Management", "Stream Ordered Memory Allocator", "Unified Addressing".
#include "kernel_test.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace {

__global__ void add_one(int* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) ++values[i];
}

TEST_CASE("allocations are aligned, apart, and written by kernels") {
  std::vector<int*> pointers;
  for (std::size_t size = 1; size < 5000; size = size * 3 + 1) {
    int* pointer;
    REQUIRE_OK(simtMalloc(&pointer, size * sizeof(int)));
    // Programming Guide, "Device Memory Accesses": "aligned to at least 256 bytes".
    CHECK_EQ(reinterpret_cast<std::uintptr_t>(pointer) % 256, 0);
    REQUIRE_OK(simtMemset(pointer, 0, size * sizeof(int)));
    pointers.push_back(pointer);
  }
  for (int* pointer : pointers) SIMT_LAUNCH((add_one), (1), (1), (0), (0), pointer, 1);
  for (int* pointer : pointers) {
    int value = 0;
    CHECK_OK(simtMemcpy(&value, pointer, sizeof value, simtMemcpyDeviceToHost));
    CHECK_EQ(value, 1);
    CHECK_OK(simtFree(pointer));
  }
}

TEST_CASE("allocations of no bytes, and of more bytes than the device has") {
  void* pointer = &pointer;
  CHECK_OK(simtMalloc(&pointer, 0));
  CHECK_EQ(pointer, nullptr);
  CHECK_OK(simtFree(nullptr));
  CHECK_OK(simtFreeHost(nullptr));
  CHECK_EQ(simtMalloc(static_cast<void**>(nullptr), 16), simtErrorInvalidValue);
  CHECK_EQ(simtMalloc(&pointer, SIZE_MAX / 2), simtErrorMemoryAllocation);
  CHECK_EQ(simtGetLastError(), simtErrorMemoryAllocation);
  CHECK_OK(simtGetLastError());
}

TEST_CASE("simtMemGetInfo counts the memory in use") {
  std::size_t free_before = 0, total = 0, free_now = 0;
  REQUIRE_OK(simtMemGetInfo(&free_before, &total));
  CHECK(free_before <= total);
  void* pointer;
  const std::size_t size = 32 << 20;
  REQUIRE_OK(simtMalloc(&pointer, size));
  REQUIRE_OK(simtMemGetInfo(&free_now, &total));
  CHECK_EQ(free_before - free_now, size);
  REQUIRE_OK(simtFree(pointer));
  REQUIRE_OK(simtMemGetInfo(&free_now, &total));
  CHECK_EQ(free_now, free_before);
}

// -- wrong pointers

TEST_CASE("freeing pointers that are not memory of the device") {
  int local = 0, *pointer, *pinned;
  CHECK_EQ(simtFree(&local), simtErrorInvalidValue);
  REQUIRE_OK(simtMalloc(&pointer, 64));
  CHECK_EQ(simtFree(pointer + 1), simtErrorInvalidValue);
  CHECK_EQ(simtFreeHost(pointer), simtErrorInvalidValue);
  CHECK_OK(simtFree(pointer));
  CHECK_EQ(simtFree(pointer), simtErrorInvalidValue);
  REQUIRE_OK(simtMallocHost(&pinned, 64));
  CHECK_EQ(simtFree(pinned), simtErrorInvalidValue);
  CHECK_OK(simtFreeHost(pinned));
  CHECK_EQ(simtFreeHost(pinned), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

TEST_CASE("copies to or from freed memory, or beyond its end") {
  std::vector<char> host(256);
  void* pointer;
  REQUIRE_OK(simtMalloc(&pointer, 128));
  CHECK_EQ(simtMemcpy(pointer, host.data(), 129, simtMemcpyHostToDevice), simtErrorInvalidValue);
  CHECK_EQ(simtMemcpy(host.data(), static_cast<char*>(pointer) + 64, 65, simtMemcpyDeviceToHost),
           simtErrorInvalidValue);
  CHECK_EQ(simtMemset(pointer, 0, 129), simtErrorInvalidValue);
  CHECK_OK(simtFree(pointer));
  CHECK_EQ(simtMemcpy(pointer, host.data(), 16, simtMemcpyHostToDevice), simtErrorInvalidValue);
  CHECK_EQ(simtMemcpyAsync(host.data(), pointer, 16, simtMemcpyDeviceToHost, nullptr),
           simtErrorInvalidValue);
  CHECK_EQ(simtMemset(pointer, 0, 16), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

TEST_CASE("kinds of copies that do not match their pointers") {
  std::vector<char> host(64), other(64);
  const DeviceArray<char> device(64);
  const DeviceArray<char> second(64);
  CHECK_EQ(simtMemcpy(host.data(), other.data(), 64, simtMemcpyHostToDevice),
           simtErrorInvalidValue);
  CHECK_EQ(simtMemcpy(host.data(), other.data(), 64, simtMemcpyDeviceToDevice),
           simtErrorInvalidValue);
  CHECK_EQ(simtMemcpy(device.data(), host.data(), 64, simtMemcpyDeviceToHost),
           simtErrorInvalidValue);
  // With unified addresses, the side of the host may be any memory.
  CHECK_OK(simtMemcpy(device.data(), second.data(), 64, simtMemcpyHostToHost));
  CHECK_OK(simtMemcpy(device.data(), second.data(), 64, simtMemcpyDeviceToHost));
  CHECK_EQ(simtMemcpy(device.data(), host.data(), 64, static_cast<simtMemcpyKind>(9)),
           simtErrorInvalidMemcpyDirection);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidMemcpyDirection);
  CHECK_EQ(simtMemcpy(device.data(), nullptr, 64, simtMemcpyHostToDevice), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
  CHECK_OK(simtMemcpy(device.data(), second.data(), 0, simtMemcpyDeviceToDevice));
  CHECK_OK(simtMemcpy(nullptr, nullptr, 0, simtMemcpyHostToDevice));
  CHECK_OK(simtMemset(nullptr, 0, 0));
}

// -- copies and sets

TEST_CASE("copies of every kind") {
  std::vector<int> host(100);
  std::iota(host.begin(), host.end(), 0);
  const DeviceArray<int> first(100), second(100);
  CHECK_OK(simtMemcpy(first.data(), host.data(), 400, simtMemcpyHostToDevice));
  CHECK_OK(simtMemcpy(second.data(), first.data(), 400, simtMemcpyDeviceToDevice));
  std::vector<int> back(100), copied(100);
  CHECK_OK(simtMemcpy(back.data(), second.data(), 400, simtMemcpyDeviceToHost));
  CHECK_OK(simtMemcpy(copied.data(), back.data(), 400, simtMemcpyHostToHost));
  CHECK_EQ(copied, host);
  CHECK_OK(simtMemcpy(first.data() + 10, host.data(), 40, simtMemcpyDefault));
  CHECK_EQ(first.values()[12], 2);
  CHECK_EQ(first.values()[20], 20);
}

TEST_CASE("simtMemset sets bytes") {
  const DeviceArray<int> values(4, -1);
  CHECK_OK(simtMemset(values.data() + 1, 0x1ff, 8));
  CHECK_EQ(values.values(), std::vector<int>{-1, -1, -1, -1});
  CHECK_OK(simtMemset(values.data() + 1, 2, 8));
  CHECK_EQ(values.values(), std::vector<int>{-1, 0x02020202, 0x02020202, -1});
}

TEST_CASE("two-dimensional memory: a pitch, copies of parts, sets of parts") {
  const std::size_t width = 5 * sizeof(int), height = 4;
  int* device;
  std::size_t pitch = 0;
  REQUIRE_OK(simtMallocPitch(&device, &pitch, width, height));
  CHECK(pitch >= width);
  CHECK_EQ(pitch % 32, 0);  // simtDeviceProp::texturePitchAlignment
  std::vector<int> host(5 * 4);
  std::iota(host.begin(), host.end(), 0);
  CHECK_OK(simtMemcpy2D(device, pitch, host.data(), width, width, height, simtMemcpyHostToDevice));
  // The part of 3 columns and 2 rows in the middle.
  int part[2][3] = {};
  const char* inner = reinterpret_cast<const char*>(device) + pitch + sizeof(int);
  CHECK_OK(
      simtMemcpy2D(part, sizeof part[0], inner, pitch, sizeof part[0], 2, simtMemcpyDeviceToHost));
  CHECK_EQ(part[0][0], 6);
  CHECK_EQ(part[0][2], 8);
  CHECK_EQ(part[1][0], 11);
  CHECK_EQ(part[1][2], 13);
  CHECK_OK(simtMemset2D(const_cast<char*>(inner), pitch, 0, sizeof part[0], 2));
  std::vector<int> back(5 * 4);
  CHECK_OK(simtMemcpy2D(back.data(), width, device, pitch, width, height, simtMemcpyDeviceToHost));
  for (int i : {6, 7, 8, 11, 12, 13}) host[static_cast<std::size_t>(i)] = 0;
  CHECK_EQ(back, host);
  // "cudaErrorInvalidPitchValue": a row is longer than the pitch.
  CHECK_EQ(
      simtMemcpy2D(back.data(), width - 1, device, pitch, width, height, simtMemcpyDeviceToHost),
      simtErrorInvalidPitchValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidPitchValue);
  TestStream stream;
  CHECK_OK(simtMemset2DAsync(device, pitch, 0xff, width, height, stream));
  CHECK_OK(simtMemcpy2DAsync(back.data(), width, device, pitch, width, height,
                             simtMemcpyDeviceToHost, stream));
  CHECK_OK(simtStreamSynchronize(stream));
  CHECK_EQ(back, std::vector<int>(20, -1));
  CHECK_OK(simtFree(device));
}

TEST_CASE("three-dimensional memory") {
  const std::size_t width = 6, height = 3, depth = 2;
  simtPitchedPtr device;
  REQUIRE_OK(simtMalloc3D(&device, make_simtExtent(width, height, depth)));
  CHECK(device.pitch >= width);
  CHECK_EQ(device.xsize, width);
  CHECK_EQ(device.ysize, height);
  REQUIRE_OK(simtMemset3D(device, 7, make_simtExtent(width, height, depth)));
  std::vector<unsigned char> host(width * height * depth);
  std::iota(host.begin(), host.end(), 0);

  // A box of 2 x 2 x 1 bytes at (1, 1, 1) of the host goes to (3, 0, 0) of the device.
  simtMemcpy3DParms copy{};
  copy.srcPtr = make_simtPitchedPtr(host.data(), width, width, height);
  copy.srcPos = make_simtPos(1, 1, 1);
  copy.dstPtr = device;
  copy.dstPos = make_simtPos(3, 0, 0);
  copy.extent = make_simtExtent(2, 2, 1);
  copy.kind = simtMemcpyHostToDevice;
  REQUIRE_OK(simtMemcpy3D(&copy));

  std::vector<unsigned char> back(host.size());
  simtMemcpy3DParms all{};
  all.srcPtr = device;
  all.dstPtr = make_simtPitchedPtr(back.data(), width, width, height);
  all.extent = make_simtExtent(width, height, depth);
  all.kind = simtMemcpyDeviceToHost;
  TestStream stream;
  REQUIRE_OK(simtMemcpy3DAsync(&all, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  std::vector<unsigned char> expected(host.size(), 7);
  for (std::size_t y = 0; y < 2; ++y) {
    for (std::size_t x = 0; x < 2; ++x) {
      expected[y * width + 3 + x] = static_cast<unsigned char>((height + 1 + y) * width + 1 + x);
    }
  }
  CHECK_EQ(back, expected);
  CHECK_OK(simtFree(device.ptr));
}

// -- host memory

TEST_CASE("pinned memory: kernels use it, and its flags are known") {
  int* pinned;
  REQUIRE_OK(simtHostAlloc(&pinned, 10 * sizeof(int), simtHostAllocMapped | simtHostAllocPortable));
  std::fill_n(pinned, 10, 4);
  int* on_device = nullptr;
  REQUIRE_OK(simtHostGetDevicePointer(&on_device, pinned, 0));
  SIMT_LAUNCH((add_one), (1), (10), (0), (0), on_device, 10);
  REQUIRE_FINISHED();
  CHECK_EQ(pinned[9], 5);
  unsigned flags = 0;
  CHECK_OK(simtHostGetFlags(&flags, pinned));
  CHECK_EQ(flags & simtHostAllocPortable, simtHostAllocPortable);
  CHECK_OK(simtFreeHost(pinned));
  CHECK_EQ(simtHostGetFlags(&flags, pinned), simtErrorInvalidValue);
  CHECK_EQ(simtHostAlloc(&pinned, 16, 0xffff), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

TEST_CASE("memory of the host that is registered") {
  std::vector<int> values(1000, 1);
  const std::size_t bytes = values.size() * sizeof(int);
  REQUIRE_OK(simtHostRegister(values.data(), bytes, simtHostRegisterDefault));
  simtPointerAttributes attributes;
  CHECK_OK(simtPointerGetAttributes(&attributes, values.data() + 5));
  CHECK_EQ(attributes.type, simtMemoryTypeHost);
  CHECK_EQ(simtHostRegister(values.data(), bytes, simtHostRegisterDefault),
           simtErrorHostMemoryAlreadyRegistered);
  SIMT_LAUNCH((add_one), (4), (256), (0), (0), values.data(), 1000);
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK_EQ(values, std::vector<int>(1000, 2));
  CHECK_OK(simtHostUnregister(values.data()));
  CHECK_EQ(simtHostUnregister(values.data()), simtErrorHostMemoryNotRegistered);
  CHECK_EQ(simtGetLastError(), simtErrorHostMemoryNotRegistered);
}

TEST_CASE("managed memory is one for host and device") {
  int* managed;
  REQUIRE_OK(simtMallocManaged(&managed, 3 * sizeof(int)));
  managed[0] = managed[1] = managed[2] = 1;
  REQUIRE_OK(simtMemPrefetchAsync(managed, 3 * sizeof(int), 0, nullptr));
  REQUIRE_OK(simtMemAdvise(managed, 3 * sizeof(int), simtMemAdviseSetPreferredLocation, 0));
  REQUIRE_OK(simtMemAdvise(managed, 3 * sizeof(int), simtMemAdviseSetAccessedBy, simtCpuDeviceId));
  SIMT_LAUNCH((add_one), (1), (3), (0), (0), managed, 3);
  REQUIRE_FINISHED();
  CHECK_EQ(managed[0] + managed[1] + managed[2], 6);
  simtPointerAttributes attributes;
  CHECK_OK(simtPointerGetAttributes(&attributes, managed));
  CHECK_EQ(attributes.type, simtMemoryTypeManaged);
  CHECK_OK(simtFree(managed));
  CHECK_EQ(simtMallocManaged(&managed, 16, 0x77), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

// -- attributes of pointers

TEST_CASE("attributes of pointers") {
  simtPointerAttributes attributes;
  const DeviceArray<int> device(10);
  CHECK_OK(simtPointerGetAttributes(&attributes, device.data() + 3));
  CHECK_EQ(attributes.type, simtMemoryTypeDevice);
  CHECK_EQ(attributes.device, 0);
  CHECK_EQ(attributes.devicePointer, device.data() + 3);
  CHECK_EQ(attributes.hostPointer, nullptr);

  int* pinned;
  REQUIRE_OK(simtMallocHost(&pinned, 16));
  CHECK_OK(simtPointerGetAttributes(&attributes, pinned));
  CHECK_EQ(attributes.type, simtMemoryTypeHost);
  CHECK_EQ(attributes.hostPointer, pinned);
  CHECK_NE(attributes.devicePointer, nullptr);
  CHECK_OK(simtFreeHost(pinned));

  // "As of CUDA 11.0 ... cudaMemoryTypeUnregistered ... for unregistered host memory": the call
  // returns no error.
  int local;
  CHECK_OK(simtPointerGetAttributes(&attributes, &local));
  CHECK_EQ(attributes.type, simtMemoryTypeUnregistered);
  CHECK_EQ(attributes.devicePointer, nullptr);
  CHECK_EQ(simtPointerGetAttributes(nullptr, &local), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

// -- allocations in stream order

TEST_CASE("memory is allocated and freed in the order of a stream") {
  TestStream stream;
  std::vector<int> back(100, -1);
  int* device;
  REQUIRE_OK(simtMallocAsync(&device, 400, stream));
  REQUIRE_OK(simtMemsetAsync(device, 0, 400, stream));
  SIMT_LAUNCH((add_one), (1), (100), (0), (stream), device, 100);
  REQUIRE_OK(simtMemcpyAsync(back.data(), device, 400, simtMemcpyDeviceToHost, stream));
  REQUIRE_OK(simtFreeAsync(device, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(back, std::vector<int>(100, 1));
  CHECK_EQ(simtFreeAsync(device, stream), simtErrorInvalidValue);
  CHECK_EQ(simtMemsetAsync(device, 0, 4, stream), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

TEST_CASE("memory freed on a stream may be used by earlier work") {
  TestStream stream;
  const DeviceArray<int> out(1);
  int* device;
  REQUIRE_OK(simtMallocAsync(&device, sizeof(int), stream));
  Gate gate;
  gate.hold(stream);
  REQUIRE_OK(simtMemsetAsync(device, 0, sizeof(int), stream));
  SIMT_LAUNCH((add_one), (1), (1), (0), (stream), device, 1);
  REQUIRE_OK(simtMemcpyAsync(out.data(), device, sizeof(int), simtMemcpyDeviceToDevice, stream));
  REQUIRE_OK(simtFreeAsync(device, stream));
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(out.values()[0], 1);
}

TEST_CASE("simtFree takes memory of simtMallocAsync, and simtFreeAsync that of simtMalloc") {
  void *first, *second;
  REQUIRE_OK(simtMallocAsync(&first, 64, nullptr));
  REQUIRE_OK(simtMalloc(&second, 64));
  CHECK_OK(simtFree(first));
  CHECK_OK(simtFreeAsync(second, nullptr));
  CHECK_OK(simtDeviceSynchronize());
  CHECK_EQ(simtFree(second), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

std::uint64_t pool_value(simtMemPool_t pool, simtMemPoolAttr attribute) {
  std::uint64_t value = ~std::uint64_t{0};
  CHECK_OK(simtMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

TEST_CASE("pools") {
  simtMemPool_t standard, current;
  REQUIRE_OK(simtDeviceGetDefaultMemPool(&standard, 0));
  REQUIRE_OK(simtDeviceGetMemPool(&current, 0));
  CHECK_EQ(standard, current);
  CHECK_EQ(simtMemPoolDestroy(standard), simtErrorInvalidValue);

  simtMemPoolProps wanted{};
  wanted.allocType = simtMemAllocationTypePinned;
  wanted.handleTypes = simtMemHandleTypeNone;
  wanted.location.type = simtMemLocationTypeDevice;
  wanted.location.id = 0;
  simtMemPool_t pool;
  REQUIRE_OK(simtMemPoolCreate(&pool, &wanted));
  std::uint64_t keep = UINT64_MAX;
  REQUIRE_OK(simtMemPoolSetAttribute(pool, simtMemPoolAttrReleaseThreshold, &keep));
  CHECK_EQ(pool_value(pool, simtMemPoolAttrReleaseThreshold), keep);

  TestStream stream;
  void* memory;
  const std::size_t size = 1 << 20;
  REQUIRE_OK(simtMallocFromPoolAsync(&memory, size, pool, stream));
  REQUIRE_OK(simtMemsetAsync(memory, 1, size, stream));
  CHECK_EQ(pool_value(pool, simtMemPoolAttrUsedMemCurrent), size);
  CHECK(pool_value(pool, simtMemPoolAttrReservedMemCurrent) >= size);
  REQUIRE_OK(simtFreeAsync(memory, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(pool_value(pool, simtMemPoolAttrUsedMemCurrent), 0);
  CHECK(pool_value(pool, simtMemPoolAttrUsedMemHigh) >= size);
  std::uint64_t zero = 0;
  CHECK_OK(simtMemPoolSetAttribute(pool, simtMemPoolAttrUsedMemHigh, &zero));
  CHECK_EQ(pool_value(pool, simtMemPoolAttrUsedMemHigh), 0);
  CHECK_OK(simtMemPoolTrimTo(pool, 0));
  CHECK_EQ(pool_value(pool, simtMemPoolAttrReservedMemCurrent), 0);

  simtMemLocation here{simtMemLocationTypeDevice, 0};
  simtMemAccessFlags access = simtMemAccessFlagsProtNone;
  CHECK_OK(simtMemPoolGetAccess(&access, pool, &here));
  CHECK_EQ(access, simtMemAccessFlagsProtReadWrite);
  // A device's access to its own pool cannot be revoked.
  simtMemAccessDesc none{here, simtMemAccessFlagsProtNone};
  CHECK_NE(simtMemPoolSetAccess(pool, &none, 1), simtSuccess);

  REQUIRE_OK(simtDeviceSetMemPool(0, pool));
  REQUIRE_OK(simtMallocAsync(&memory, 64, stream));
  CHECK_EQ(pool_value(pool, simtMemPoolAttrUsedMemCurrent), 64);
  REQUIRE_OK(simtFreeAsync(memory, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  REQUIRE_OK(simtDeviceSetMemPool(0, standard));
  CHECK_OK(simtMemPoolDestroy(pool));
  CHECK_EQ(simtMemPoolTrimTo(pool, 0), simtErrorInvalidValue);
  static_cast<void>(simtGetLastError());
}

}  // namespace
