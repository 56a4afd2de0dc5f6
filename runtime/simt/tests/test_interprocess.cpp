// Handles of memory and events for other processes, within one process. tests/process/interprocess.cpp
// opens handles in a second process.
#include "kernel_test.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace {

__global__ void count_until(int* counts, const int* stop) {
  do {
    counts[threadIdx.x] += 1;
    counts[(1 << 20) + threadIdx.x] += 1;
  } while (__atomic_load_n(stop, __ATOMIC_ACQUIRE) == 0);
}

TEST_CASE("memory keeps its address and content when its handle is made") {
  const DeviceArray<int> before(300, 1), small(500, 2), large(1 << 20, 3), after(300, 4);
  simtIpcMemHandle_t handle, same;
  for (const auto* array : {&small, &large}) {
    REQUIRE_OK(simtIpcGetMemHandle(&handle, array->data()));
    REQUIRE_OK(simtIpcGetMemHandle(&same, array->data() + 10));
    CHECK_EQ(std::memcmp(&handle, &same, sizeof handle), 0);
  }
  CHECK_EQ(before.values(), std::vector<int>(300, 1));
  CHECK_EQ(small.values(), std::vector<int>(500, 2));
  CHECK_EQ(large.values(), std::vector<int>(1 << 20, 3));
  CHECK_EQ(after.values(), std::vector<int>(300, 4));
}

// A write that is lost leaves the two counters of a thread unequal.
TEST_CASE("a kernel writes to memory while its handle is made") {
  constexpr std::size_t kSize = (1 << 20) + 64;
  int* stop = nullptr;
  REQUIRE_OK(simtMallocHost(&stop, sizeof(int)));
  for (int round = 0; round < 5; ++round) {
    const DeviceArray<int> counts(kSize);
    __atomic_store_n(stop, 0, __ATOMIC_RELEASE);
    SIMT_LAUNCH((count_until), (1), (64), (0), (0), counts.data(), stop);
    simtIpcMemHandle_t handle;
    CHECK_OK(simtIpcGetMemHandle(&handle, counts.data()));
    __atomic_store_n(stop, 1, __ATOMIC_RELEASE);
    REQUIRE_FINISHED();
    const std::vector<int> values = counts.values();
    CHECK_GE(values[0], 1);
    CHECK(std::equal(values.begin(), values.begin() + 64, values.begin() + (1 << 20)));
  }
  REQUIRE_OK(simtFreeHost(stop));
}

TEST_CASE("errors of handles of memory") {
  const DeviceArray<int> array(10);
  simtIpcMemHandle_t handle;
  void* memory = nullptr;
  CHECK_EQ(simtIpcGetMemHandle(nullptr, array.data()), simtErrorInvalidValue);
  CHECK_EQ(simtIpcGetMemHandle(&handle, nullptr), simtErrorInvalidValue);
  CHECK_EQ(simtIpcGetMemHandle(&handle, &memory), simtErrorInvalidValue);
  REQUIRE_OK(simtMallocManaged(&memory, 64));
  CHECK_EQ(simtIpcGetMemHandle(&handle, memory), simtErrorInvalidValue);
  REQUIRE_OK(simtFree(memory));
  REQUIRE_OK(simtMallocHost(&memory, 64));
  CHECK_EQ(simtIpcGetMemHandle(&handle, memory), simtErrorInvalidValue);
  REQUIRE_OK(simtFreeHost(memory));
  REQUIRE_OK(simtMallocAsync(&memory, 64, nullptr));
  CHECK_EQ(simtIpcGetMemHandle(&handle, memory), simtErrorInvalidValue);
  REQUIRE_OK(simtFreeAsync(memory, nullptr));
  REQUIRE_OK(simtDeviceSynchronize());

  REQUIRE_OK(simtIpcGetMemHandle(&handle, array.data()));
  const unsigned flags = simtIpcMemLazyEnablePeerAccess;
  CHECK_EQ(simtIpcOpenMemHandle(&memory, handle, flags), simtErrorDeviceUninitialized);
  CHECK_EQ(simtIpcOpenMemHandle(nullptr, handle, flags), simtErrorInvalidValue);
  CHECK_EQ(simtIpcOpenMemHandle(&memory, handle, 0), simtErrorInvalidValue);
  CHECK_EQ(simtIpcOpenMemHandle(&memory, {}, flags), simtErrorInvalidValue);
  CHECK_EQ(simtIpcCloseMemHandle(array.data()), simtErrorInvalidValue);
  CHECK_EQ(simtIpcCloseMemHandle(nullptr), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

TEST_CASE("an interprocess event works within its process") {
  TestStream first(simtStreamNonBlocking), second(simtStreamNonBlocking);
  simtEvent_t event;
  REQUIRE_OK(simtEventCreateWithFlags(&event, simtEventInterprocess | simtEventDisableTiming));
  CHECK_OK(simtEventQuery(event));
  for (int round = 0; round < 3; ++round) {
    Gate gate;
    gate.hold(first);
    REQUIRE_OK(simtEventRecord(event, first));
    REQUIRE_OK(simtStreamWaitEvent(second, event, 0));
    CHECK_EQ(simtEventQuery(event), simtErrorNotReady);
    CHECK_EQ(simtStreamQuery(second), simtErrorNotReady);
    gate.open();
    CHECK_OK(simtEventSynchronize(event));
    CHECK_OK(simtStreamSynchronize(second));
  }
  CHECK_OK(simtEventDestroy(event));
}

TEST_CASE("errors of handles of events") {
  simtEvent_t plain, shared, opened;
  simtIpcEventHandle_t handle;
  REQUIRE_OK(simtEventCreateWithFlags(&plain, simtEventDisableTiming));
  REQUIRE_OK(simtEventCreateWithFlags(&shared, simtEventInterprocess | simtEventDisableTiming));
  CHECK_EQ(simtIpcGetEventHandle(&handle, plain), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtIpcGetEventHandle(&handle, nullptr), simtErrorInvalidValue);
  CHECK_EQ(simtIpcGetEventHandle(nullptr, shared), simtErrorInvalidValue);
  REQUIRE_OK(simtIpcGetEventHandle(&handle, shared));
  CHECK_EQ(simtIpcOpenEventHandle(&opened, handle), simtErrorDeviceUninitialized);
  CHECK_EQ(simtIpcOpenEventHandle(nullptr, handle), simtErrorInvalidValue);
  CHECK_EQ(simtIpcOpenEventHandle(&opened, {}), simtErrorMapBufferObjectFailed);
  CHECK_OK(simtEventDestroy(plain));
  CHECK_OK(simtEventDestroy(shared));
  CHECK_EQ(simtGetLastError(), simtErrorMapBufferObjectFailed);
}

}  // namespace
