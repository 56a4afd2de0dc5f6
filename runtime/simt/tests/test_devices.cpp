// Devices: their properties, several devices, and peers. CUDA C++ Programming Guide, "Multi-Device
// System" and "Technical Specifications per Compute Capability" (7.0).
#include "kernel_test.h"

#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

// The runtime reads SIMT_DEVICE_COUNT at the first call of the API; these tests need two devices.
[[maybe_unused]] const int two_devices = setenv("SIMT_DEVICE_COUNT", "2", /*overwrite=*/0);

constexpr int kThreads = 100;

__global__ void iterate(unsigned* values, int rounds, unsigned seed) {
  __shared__ unsigned neighbours[kThreads];
  unsigned value = seed + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    neighbours[threadIdx.x] = value;
    __syncthreads();
    value = value * 5 + neighbours[(threadIdx.x + 1) % kThreads];
    __syncthreads();
  }
  values[blockIdx.x * kThreads + threadIdx.x] = value;
}

std::vector<unsigned> iterated(int blocks, int rounds, unsigned seed) {
  std::vector<unsigned> values(kThreads), before;
  for (unsigned i = 0; i < kThreads; ++i) values[i] = seed + i;
  for (int round = 0; round < rounds; ++round) {
    before = values;
    for (std::size_t i = 0; i < kThreads; ++i)
      values[i] = before[i] * 5 + before[(i + 1) % kThreads];
  }
  std::vector<unsigned> all;
  for (int block = 0; block < blocks; ++block) all.insert(all.end(), values.begin(), values.end());
  return all;
}

/// Makes a device current during the object's lifetime; afterwards device 0 is current.
class OnDevice {
 public:
  explicit OnDevice(int device) { REQUIRE_OK(simtSetDevice(device)); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { simtSetDevice(0); }
};

TEST_CASE("devices are chosen by number, for each thread of the host") {
  int count = 0, device = -1;
  REQUIRE_OK(simtGetDeviceCount(&count));
  REQUIRE(count >= 2);
  REQUIRE_OK(simtGetDevice(&device));
  CHECK_EQ(device, 0);
  const OnDevice second(1);
  REQUIRE_OK(simtGetDevice(&device));
  CHECK_EQ(device, 1);
  int of_other = -1;
  std::thread([&] { simtGetDevice(&of_other); }).join();
  CHECK_EQ(of_other, 0);
  CHECK_EQ(simtSetDevice(count), simtErrorInvalidDevice);
  CHECK_EQ(simtSetDevice(-1), simtErrorInvalidDevice);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidDevice);
  REQUIRE_OK(simtGetDevice(&device));
  CHECK_EQ(device, 1);
}

TEST_CASE("four threads of the host use two devices") {
  constexpr int kHostThreads = 4, kBlocks = 6, kLaunches = 10;
  // doctest's checks are not thread-safe: each thread returns its number of correct
  // results.
  std::vector<int> right(kHostThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kHostThreads; ++t) {
    threads.emplace_back([t, &right] {
      const std::size_t bytes = kBlocks * kThreads * sizeof(unsigned);
      unsigned* values;
      simtStream_t stream;
      if (simtSetDevice(t % 2) != simtSuccess || simtMalloc(&values, bytes) != simtSuccess ||
          simtStreamCreate(&stream) != simtSuccess) {
        return;
      }
      for (int launch = 0; launch < kLaunches; ++launch) {
        const unsigned seed = static_cast<unsigned>(1000 * t + launch);
        std::vector<unsigned> got(kBlocks * kThreads);
        SIMT_LAUNCH((iterate), (kBlocks), (kThreads), (0), (stream), values, 7, seed);
        simtMemcpyAsync(got.data(), values, bytes, simtMemcpyDeviceToHost, stream);
        int device = -1;
        simtPointerAttributes attributes;
        const bool fine = simtStreamSynchronize(stream) == simtSuccess &&
                          simtGetDevice(&device) == simtSuccess && device == t % 2 &&
                          simtPointerGetAttributes(&attributes, values) == simtSuccess &&
                          attributes.device == t % 2;
        right[static_cast<std::size_t>(t)] += fine && got == iterated(kBlocks, 7, seed);
      }
      simtStreamDestroy(stream);
      simtFree(values);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(right, std::vector<int>(kHostThreads, kLaunches));
}

TEST_CASE("devices do not wait for each other") {
  Gate gate;
  TestStream held;
  gate.hold(held);
  const OnDevice second(1);
  const DeviceArray<unsigned> values(kThreads);
  SIMT_LAUNCH((iterate), (1), (kThreads), (0), (0), values.data(), 3, 1u);
  REQUIRE_FINISHED();
  CHECK_EQ(values.values(), iterated(1, 3, 1));
  CHECK_EQ(simtStreamQuery(held), simtErrorNotReady);
  gate.open();
}

// Programming Guide, "Stream and Event Behavior": valid and invalid uses of streams and events of a
// device that is not current.
TEST_CASE("streams and events of the other device") {
  TestStream of_first;
  TestEvent event_of_first, begin_of_first;
  const DeviceArray<unsigned> values(kThreads);
  const OnDevice second(1);
  TestStream of_second;
  TestEvent event_of_second;

  // "A kernel launch will fail if it is issued to a stream that is not associated to the current
  // device"
  SIMT_LAUNCH((iterate), (1), (kThreads), (0), (of_first), values.data(), 1, 1u);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidResourceHandle);
  // "A memory copy will succeed even if it is issued to a stream that is not associated to the
  // current device."
  std::vector<unsigned> copied(kThreads, 1);
  CHECK_OK(simtMemcpyAsync(copied.data(), values.data(), values.bytes(), simtMemcpyDeviceToHost,
                           of_first));
  CHECK_OK(simtStreamSynchronize(of_first));
  CHECK_EQ(copied, std::vector<unsigned>(kThreads, 0));
  // "cudaEventRecord() will fail if the input event and input stream are associated to different
  // devices."
  CHECK_EQ(simtEventRecord(event_of_first, of_second), simtErrorInvalidResourceHandle);
  // "cudaEventElapsedTime() will fail if the two input events are associated to different devices."
  REQUIRE_OK(simtEventRecord(event_of_first, of_first));
  REQUIRE_OK(simtEventRecord(event_of_second, of_second));
  // "cudaEventSynchronize() and cudaEventQuery() will succeed even if the input event is associated
  // to a device that is different from the current device."
  CHECK_OK(simtEventSynchronize(event_of_first));
  CHECK_OK(simtEventSynchronize(event_of_second));
  CHECK_OK(simtEventQuery(event_of_first));
  float milliseconds;
  CHECK_EQ(simtEventElapsedTime(&milliseconds, event_of_first, event_of_second),
           simtErrorInvalidResourceHandle);
  // "cudaStreamWaitEvent() will succeed even if the input stream and input event are associated to
  // different devices. cudaStreamWaitEvent() can therefore be used to synchronize multiple devices
  // with each other."
  CHECK_OK(simtStreamWaitEvent(of_second, event_of_first));
  CHECK_OK(simtStreamSynchronize(of_second));
  static_cast<void>(simtGetLastError());
}

// -- peers

TEST_CASE("peer access, and its errors") {
  int can = -1;
  CHECK_OK(simtDeviceCanAccessPeer(&can, 0, 1));
  CHECK_EQ(can, 1);
  CHECK_OK(simtDeviceCanAccessPeer(&can, 0, 0));
  CHECK_EQ(can, 0);
  CHECK_EQ(simtDeviceCanAccessPeer(&can, 0, 77), simtErrorInvalidDevice);
  CHECK_OK(simtDeviceEnablePeerAccess(1, 0));
  CHECK_EQ(simtDeviceEnablePeerAccess(1, 0), simtErrorPeerAccessAlreadyEnabled);
  CHECK_EQ(simtDeviceEnablePeerAccess(1, 1), simtErrorInvalidValue);
  CHECK_EQ(simtDeviceEnablePeerAccess(77, 0), simtErrorInvalidDevice);
  CHECK_EQ(simtDeviceEnablePeerAccess(0, 0), simtErrorPeerAccessUnsupported);
  CHECK_OK(simtDeviceDisablePeerAccess(1));
  CHECK_EQ(simtDeviceDisablePeerAccess(1), simtErrorPeerAccessNotEnabled);
  static_cast<void>(simtGetLastError());
  int supported = -1;
  CHECK_OK(simtDeviceGetP2PAttribute(&supported, simtDevP2PAttrAccessSupported, 0, 1));
  CHECK_EQ(supported, 1);
}

TEST_CASE("copies from device to device") {
  std::vector<int> values{3, 1, 4, 1, 5};
  const DeviceArray<int> here(values);
  int* there;
  const std::size_t bytes = here.bytes();
  {
    const OnDevice second(1);
    REQUIRE_OK(simtMalloc(&there, bytes));
  }
  CHECK_OK(simtMemcpyPeer(there, 1, here.data(), 0, bytes));
  std::vector<int> back(values.size());
  CHECK_OK(simtMemcpy(back.data(), there, bytes, simtMemcpyDeviceToHost));
  CHECK_EQ(back, values);
  TestStream stream;
  {
    const OnDevice second(1);
    REQUIRE_OK(simtMemset(there, 0, bytes));
    REQUIRE_OK(simtDeviceSynchronize());
  }
  CHECK_OK(simtMemcpyPeerAsync(here.data(), 0, there, 1, bytes, stream));
  CHECK_OK(simtStreamSynchronize(stream));
  CHECK_EQ(here.values(), std::vector<int>(values.size(), 0));
  CHECK_EQ(simtMemcpyPeer(there, 77, here.data(), 0, bytes), simtErrorInvalidDevice);
  static_cast<void>(simtGetLastError());
  // "Unified Virtual Address Space": with simtMemcpyDefault, the runtime finds the location from
  // the pointers.
  CHECK_OK(simtMemcpy(here.data(), values.data(), bytes, simtMemcpyDefault));
  CHECK_OK(simtMemcpy(there, here.data(), bytes, simtMemcpyDefault));
  CHECK_OK(simtMemcpy(back.data(), there, bytes, simtMemcpyDefault));
  CHECK_EQ(back, values);
  CHECK_OK(simtFree(there));
}

// -- properties and attributes of a device

TEST_CASE("properties of compute capability 7.0") {
  simtDeviceProp properties;
  REQUIRE_OK(simtGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.major, 7);
  CHECK_EQ(properties.minor, 0);
  CHECK_EQ(properties.warpSize, warpSize);
  CHECK_EQ(properties.maxThreadsPerBlock, 1024);
  CHECK_EQ(properties.maxThreadsDim[0], 1024);
  CHECK_EQ(properties.maxThreadsDim[1], 1024);
  CHECK_EQ(properties.maxThreadsDim[2], 64);
  CHECK_EQ(properties.maxGridSize[0], 2147483647);
  CHECK_EQ(properties.maxGridSize[1], 65535);
  CHECK_EQ(properties.maxGridSize[2], 65535);
  CHECK_EQ(properties.sharedMemPerBlock, 48 * 1024);
  CHECK_EQ(properties.sharedMemPerBlockOptin, 96 * 1024);
  CHECK_EQ(properties.sharedMemPerMultiprocessor, 96 * 1024);
  CHECK_EQ(properties.regsPerBlock, 65536);
  CHECK_EQ(properties.maxThreadsPerMultiProcessor, 2048);
  CHECK_EQ(properties.maxBlocksPerMultiProcessor, 32);
  CHECK_EQ(properties.totalConstMem, 64 * 1024);
  CHECK(properties.totalGlobalMem > 0);
  CHECK(properties.multiProcessorCount > 0);
  CHECK_EQ(properties.unifiedAddressing, 1);
  CHECK(std::strlen(properties.name) > 0);
  CHECK_EQ(simtGetDeviceProperties(&properties, 77), simtErrorInvalidDevice);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidDevice);
}

TEST_CASE("devices have numbers of their own") {
  simtDeviceProp first, second;
  REQUIRE_OK(simtGetDeviceProperties(&first, 0));
  REQUIRE_OK(simtGetDeviceProperties(&second, 1));
  CHECK_NE(std::memcmp(&first.uuid, &second.uuid, sizeof first.uuid), 0);
  char id[32];
  int device = -1;
  for (int which = 0; which < 2; ++which) {
    REQUIRE_OK(simtDeviceGetPCIBusId(id, sizeof id, which));
    CHECK_OK(simtDeviceGetByPCIBusId(&device, id));
    CHECK_EQ(device, which);
  }
}

TEST_CASE("attributes say what the properties say") {
  simtDeviceProp properties;
  REQUIRE_OK(simtGetDeviceProperties(&properties, 1));
  struct Same {
    simtDeviceAttr attribute;
    long long property;
  };
  const Same pairs[] = {
      {simtDevAttrMaxThreadsPerBlock, properties.maxThreadsPerBlock},
      {simtDevAttrMaxBlockDimZ, properties.maxThreadsDim[2]},
      {simtDevAttrMaxGridDimX, properties.maxGridSize[0]},
      {simtDevAttrMaxGridDimY, properties.maxGridSize[1]},
      {simtDevAttrWarpSize, properties.warpSize},
      {simtDevAttrMultiProcessorCount, properties.multiProcessorCount},
      {simtDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(properties.sharedMemPerBlock)},
      {simtDevAttrMaxSharedMemoryPerBlockOptin,
       static_cast<long long>(properties.sharedMemPerBlockOptin)},
      {simtDevAttrComputeCapabilityMajor, properties.major},
      {simtDevAttrComputeCapabilityMinor, properties.minor},
      {simtDevAttrMaxThreadsPerMultiProcessor, properties.maxThreadsPerMultiProcessor},
      {simtDevAttrL2CacheSize, properties.l2CacheSize},
      {simtDevAttrTextureAlignment, static_cast<long long>(properties.textureAlignment)},
      {simtDevAttrCooperativeLaunch, properties.cooperativeLaunch},
      {simtDevAttrMemoryPoolsSupported, properties.memoryPoolsSupported},
      {simtDevAttrPciDeviceId, properties.pciDeviceID},
      {simtDevAttrIpcEventSupport, properties.ipcEventSupported},
  };
  for (const Same& pair : pairs) {
    int value = -1;
    CAPTURE(pair.attribute);
    CHECK_OK(simtDeviceGetAttribute(&value, pair.attribute, 1));
    CHECK_EQ(value, pair.property);
  }
  int value;
  CHECK_EQ(simtDeviceGetAttribute(&value, static_cast<simtDeviceAttr>(10000), 0),
           simtErrorInvalidValue);
  CHECK_EQ(simtDeviceGetAttribute(&value, simtDevAttrWarpSize, 77), simtErrorInvalidDevice);
  static_cast<void>(simtGetLastError());
}

TEST_CASE("versions are those of CUDA 12.4") {
  int runtime = 0, driver = 0;
  CHECK_OK(simtRuntimeGetVersion(&runtime));
  CHECK_OK(simtDriverGetVersion(&driver));
  CHECK_EQ(runtime, 12040);
  CHECK(driver >= runtime);
}

TEST_CASE("limits") {
  std::size_t stack = 0;
  REQUIRE_OK(simtDeviceGetLimit(&stack, simtLimitStackSize));
  CHECK(stack >= 1024);
  CHECK_OK(simtDeviceSetLimit(simtLimitStackSize, 2 * stack));
  std::size_t now = 0;
  CHECK_OK(simtDeviceGetLimit(&now, simtLimitStackSize));
  CHECK(now >= 2 * stack);
  CHECK_OK(simtDeviceSetLimit(simtLimitStackSize, stack));
  CHECK_EQ(simtDeviceGetLimit(&now, simtLimitPersistingL2CacheSize), simtErrorUnsupportedLimit);
  CHECK_EQ(simtDeviceGetLimit(&now, static_cast<simtLimit>(100)), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

// -- occupancy

__global__ void nothing() {}

// The limits of a multiprocessor are 2048 threads, 32 blocks and 96 KiB of shared memory.
TEST_CASE("how many blocks fit on a multiprocessor") {
  struct Fit {
    int threads;
    std::size_t shared;
    int blocks;
  };
  for (const Fit& fit : {Fit{32, 0, 32},
                         {64, 0, 32},
                         {128, 0, 16},
                         {256, 0, 8},
                         {1024, 0, 2},
                         {33, 0, 32},
                         {257, 0, warpSize == 32 ? 7 : 6},
                         {128, 48 * 1024, 2},
                         {128, 30 * 1024, 3}}) {
    CAPTURE(fit.threads);
    CAPTURE(fit.shared);
    int blocks = -1;
    CHECK_OK(
        simtOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, fit.threads, fit.shared));
    CHECK_EQ(blocks, fit.blocks);
  }
}

TEST_CASE("a block size that fills the device") {
  int blocks = 0, threads = 0, per_multiprocessor = 0;
  simtDeviceProp properties;
  REQUIRE_OK(simtGetDeviceProperties(&properties, 0));
  CHECK_OK(simtOccupancyMaxPotentialBlockSize(&blocks, &threads, nothing));
  const int all = properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor;
  CHECK_EQ(blocks * threads, all);
  CHECK_OK(simtOccupancyMaxPotentialBlockSize(&blocks, &threads, nothing, 0, 128));
  CHECK_EQ(threads, 128);
  CHECK_OK(simtOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, nothing, threads, 0));
  CHECK_EQ(blocks, per_multiprocessor * properties.multiProcessorCount);
}

TEST_CASE("attributes of a kernel") {
  simtFuncAttributes attributes;
  REQUIRE_OK(simtFuncGetAttributes(&attributes, nothing));
  CHECK_EQ(attributes.maxThreadsPerBlock, 1024);
  CHECK(attributes.numRegs > 0);
  CHECK_EQ(attributes.binaryVersion, 70);
}

}  // namespace
