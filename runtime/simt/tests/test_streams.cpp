// Streams. CUDA C++ Programming Guide, "Streams" and "Implicit Synchronization"; CUDA Runtime API,
// "Stream synchronization behavior" and "API synchronization behavior".
#include "kernel_test.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

__global__ void add(int* value, int amount) { *value += amount; }
__global__ void times(int* value, int factor) { *value *= factor; }
__global__ void count(int* value) { atomicAdd(value, 1); }
__global__ void copy(const int* from, int* to) { *to = *from; }

int value_of(const int* device) {
  int value;
  // simtMemcpy is not used here, because it would wait for every stream that is not
  // simtStreamNonBlocking.
  TestStream own;
  REQUIRE_OK(simtMemcpyAsync(&value, device, sizeof value, simtMemcpyDeviceToHost, own));
  REQUIRE_OK(simtStreamSynchronize(own));
  return value;
}

TEST_CASE("a launch returns at once, and a stream says whether it is done") {
  TestStream stream;
  const DeviceArray<int> value(1);
  Gate gate;
  gate.hold(stream);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 5);
  REQUIRE_OK(simtGetLastError());
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  CHECK_EQ(value_of(value.data()), 0);
  gate.open();
  CHECK_OK(simtStreamSynchronize(stream));
  CHECK_OK(simtStreamQuery(stream));
  CHECK_EQ(value_of(value.data()), 5);
}

// CUDA Runtime API, cudaErrorNotReady: "This result is not actually an error". Only queries return
// it, and a program may repeat them.
TEST_CASE("simtErrorNotReady is no error, and is not stored as the last error") {
  TestStream stream;
  TestEvent event;
  Gate gate;
  gate.hold(stream);
  REQUIRE_OK(simtEventRecord(event, stream));
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  CHECK_EQ(simtEventQuery(event), simtErrorNotReady);
  CHECK_OK(simtPeekAtLastError());
  CHECK_OK(simtGetLastError());
}

TEST_CASE("kernels, copies, memsets and host functions of one stream run in their order") {
  TestStream stream;
  int* pinned;
  REQUIRE_OK(simtMallocHost(&pinned, 2 * sizeof(int)));
  pinned[0] = 3;
  const DeviceArray<int> value(1, 100);
  struct Seen {
    int* pinned;
    int value = -1;
  } seen{pinned};
  REQUIRE_OK(simtMemcpyAsync(value.data(), pinned, sizeof(int), simtMemcpyHostToDevice, stream));
  SIMT_LAUNCH((times), (1), (1), (0), (stream), value.data(), 7);
  REQUIRE_OK(
      simtMemcpyAsync(pinned + 1, value.data(), sizeof(int), simtMemcpyDeviceToHost, stream));
  REQUIRE_OK(simtLaunchHostFunc(
      stream,
      [](void* data) {
        auto* at = static_cast<Seen*>(data);
        at->value = at->pinned[1];
      },
      &seen));
  REQUIRE_OK(simtMemsetAsync(value.data(), 1, sizeof(int), stream));
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(seen.value, 21);
  CHECK_EQ(value_of(value.data()), 0x01010102);
  CHECK_OK(simtFreeHost(pinned));
}

TEST_CASE("non-blocking streams run while another stream waits") {
  TestStream held, free;
  const DeviceArray<int> value(1);
  Gate gate;
  gate.hold(held);
  SIMT_LAUNCH((add), (1), (1), (0), (free), value.data(), 2);
  CHECK_OK(simtStreamSynchronize(free));
  CHECK_EQ(simtStreamQuery(held), simtErrorNotReady);
  CHECK_EQ(value_of(value.data()), 2);
}

// -- the legacy default stream

TEST_CASE("the default stream waits for blocking streams, and they for it") {
  const DeviceArray<int> value(1, 1);
  TestStream first(simtStreamDefault), second(simtStreamDefault), apart(simtStreamNonBlocking);
  Gate gate;
  gate.hold(first);
  SIMT_LAUNCH((add), (1), (1), (0), (first), value.data(), 2);   // 3
  SIMT_LAUNCH((times), (1), (1), (0), (0), value.data(), 10);    // 30
  SIMT_LAUNCH((add), (1), (1), (0), (second), value.data(), 4);  // 34
  CHECK_EQ(simtStreamQuery(nullptr), simtErrorNotReady);
  CHECK_EQ(simtStreamQuery(second), simtErrorNotReady);
  SIMT_LAUNCH((add), (1), (1), (0), (apart), value.data(), 0);
  CHECK_OK(simtStreamSynchronize(apart));
  CHECK_EQ(value_of(value.data()), 1);
  gate.open();
  CHECK_OK(simtStreamSynchronize(second));
  CHECK_EQ(value_of(value.data()), 34);
}

TEST_CASE("simtStreamLegacy is the default stream by name") {
  const DeviceArray<int> value(1, 1);
  TestStream blocking(simtStreamDefault);
  Gate gate;
  gate.hold(blocking);
  SIMT_LAUNCH((add), (1), (1), (0), (simtStreamLegacy), value.data(), 2);
  CHECK_EQ(simtStreamQuery(simtStreamLegacy), simtErrorNotReady);
  CHECK_EQ(simtStreamQuery(nullptr), simtErrorNotReady);
  gate.open();
  CHECK_OK(simtStreamSynchronize(simtStreamLegacy));
  CHECK_EQ(value_of(value.data()), 3);
}

TEST_CASE("simtStreamPerThread is a stream of each thread, and blocks with the default one") {
  const DeviceArray<int> value(1);
  Gate gate;
  gate.hold(simtStreamPerThread);
  std::thread other([&] {
    SIMT_LAUNCH((add), (1), (1), (0), (simtStreamPerThread), value.data(), 2);
    CHECK_OK(simtStreamSynchronize(simtStreamPerThread));
  });
  other.join();
  CHECK_EQ(value_of(value.data()), 2);
  CHECK_EQ(simtStreamQuery(simtStreamPerThread), simtErrorNotReady);
  SIMT_LAUNCH((add), (1), (1), (0), (0), value.data(), 1);
  CHECK_EQ(simtStreamQuery(nullptr), simtErrorNotReady);
  gate.open();
  CHECK_OK(simtStreamSynchronize(simtStreamPerThread));
  CHECK_OK(simtDeviceSynchronize());
}

TEST_CASE("simtMemcpy of the default stream sees what blocking streams do") {
  const DeviceArray<int> value(1);
  TestStream blocking(simtStreamDefault);
  for (int i = 1; i <= 20; ++i) {
    SIMT_LAUNCH((add), (1), (1), (0), (blocking), value.data(), 1);
    CHECK_EQ(value.values()[0], i);
  }
}

// -- copies of pageable memory

TEST_CASE("pageable memory may be overwritten once an asynchronous copy from it has returned") {
  TestStream stream;
  const std::size_t count = 1 << 16;
  for (int round = 0; round < 10; ++round) {
    std::vector<int> values(count, round), copied(count, -1);
    int* device;
    REQUIRE_OK(simtMallocAsync(&device, count * sizeof(int), stream));
    REQUIRE_OK(simtMemcpyAsync(device, values.data(), count * sizeof(int), simtMemcpyHostToDevice,
                               stream));
    values.assign(count, -7);
    REQUIRE_OK(simtMemcpyAsync(copied.data(), device, count * sizeof(int), simtMemcpyDeviceToHost,
                               stream));
    REQUIRE_OK(simtFreeAsync(device, stream));
    REQUIRE_OK(simtStreamSynchronize(stream));
    CHECK_EQ(copied, std::vector<int>(count, round));
  }
}

// -- callbacks

TEST_CASE("callbacks run in order, with the stream and its error") {
  TestStream stream;
  struct Calls {
    simtStream_t expected;
    std::vector<int> order;
    bool right = true;
  } calls{stream, {}, true};
  const auto note = [](simtStream_t where, simtError_t error, void* data) {
    auto* all = static_cast<Calls*>(data);
    all->right = all->right && where == all->expected && error == simtSuccess;
    all->order.push_back(static_cast<int>(all->order.size()));
  };
  for (int i = 0; i < 5; ++i) REQUIRE_OK(simtStreamAddCallback(stream, note, &calls, 0));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(calls.order, std::vector<int>{0, 1, 2, 3, 4});
  CHECK(calls.right);
}

TEST_CASE("work after a host function sees what the function wrote") {
  TestStream stream;
  int* pinned;
  REQUIRE_OK(simtMallocHost(&pinned, sizeof(int)));
  const DeviceArray<int> value(1);
  for (int i = 0; i < 50; ++i) {
    *pinned = i;
    REQUIRE_OK(simtLaunchHostFunc(
        stream, [](void* at) { ++*static_cast<int*>(at); }, pinned));
    SIMT_LAUNCH((copy), (1), (1), (0), (stream), pinned, value.data());
    REQUIRE_OK(simtStreamSynchronize(stream));
    CHECK_EQ(value_of(value.data()), i + 1);
  }
  CHECK_OK(simtFreeHost(pinned));
}

TEST_CASE("a program that runs far ahead of a stream waits for it") {
  constexpr int kLaunches = 2000;
  constexpr int kMostAhead = 1024;
  TestStream stream;
  int* done;
  REQUIRE_OK(simtMallocHost(&done, sizeof(int)));
  *done = 0;
  // The host function blocks the stream, so that no later work begins before all launches are
  // submitted.
  REQUIRE_OK(simtLaunchHostFunc(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }, nullptr));
  for (int i = 0; i < kLaunches; ++i) SIMT_LAUNCH((count), (1), (1), (0), (stream), done);
  CHECK_GE(__atomic_load_n(done, __ATOMIC_RELAXED), kLaunches - kMostAhead);
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(*done, kLaunches);
  CHECK_OK(simtFreeHost(done));
}

// -- many streams

TEST_CASE("a chain of launches on each of many streams") {
  constexpr int kStreams = 8, kLaunches = 100;
  const DeviceArray<int> values(kStreams);
  std::vector<std::unique_ptr<TestStream>> streams;
  for (int s = 0; s < kStreams; ++s) streams.push_back(std::make_unique<TestStream>());
  for (int launch = 0; launch < kLaunches; ++launch) {
    for (int s = 0; s < kStreams; ++s) {
      const simtStream_t stream = *streams[static_cast<std::size_t>(s)];
      SIMT_LAUNCH((times), (1), (1), (0), (stream), values.data() + s, 3);
      SIMT_LAUNCH((add), (1), (1), (0), (stream), values.data() + s, s + 1);
    }
  }
  REQUIRE_FINISHED();
  const std::vector<int> got = values.values();
  for (int s = 0; s < kStreams; ++s) {
    unsigned expected = 0;
    for (int launch = 0; launch < kLaunches; ++launch) {
      expected = expected * 3 + static_cast<unsigned>(s) + 1;
    }
    CHECK_EQ(static_cast<unsigned>(got[static_cast<std::size_t>(s)]), expected);
  }
}

TEST_CASE("several host threads put work on one stream") {
  TestStream stream;
  const DeviceArray<int> value(1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(value_of(value.data()), 400);
}

// -- properties of a stream

TEST_CASE("flags, priorities and numbers of streams") {
  int least = 7, greatest = 7;
  REQUIRE_OK(simtDeviceGetStreamPriorityRange(&least, &greatest));
  // "Priorities follow a convention where lower numbers imply greater priorities."
  CHECK_EQ(least, 0);
  CHECK(greatest < 0);

  simtStream_t stream;
  unsigned flags = 9;
  int priority = 9;
  REQUIRE_OK(simtStreamCreateWithPriority(&stream, simtStreamNonBlocking, greatest));
  CHECK_OK(simtStreamGetFlags(stream, &flags));
  CHECK_EQ(flags, simtStreamNonBlocking);
  CHECK_OK(simtStreamGetPriority(stream, &priority));
  CHECK_EQ(priority, greatest);
  unsigned long long id = 0, other_id = 0;
  CHECK_OK(simtStreamGetId(stream, &id));
  {
    TestStream other;
    CHECK_OK(simtStreamGetId(other, &other_id));
  }
  CHECK_NE(id, other_id);
  CHECK_OK(simtStreamDestroy(stream));

  // "If the specified priority is outside the numerical range ..., it will automatically be
  // clamped."
  REQUIRE_OK(simtStreamCreateWithPriority(&stream, simtStreamDefault, greatest - 100));
  CHECK_OK(simtStreamGetPriority(stream, &priority));
  CHECK_EQ(priority, greatest);
  CHECK_OK(simtStreamDestroy(stream));
  REQUIRE_OK(simtStreamCreateWithPriority(&stream, simtStreamDefault, least + 100));
  CHECK_OK(simtStreamGetPriority(stream, &priority));
  CHECK_EQ(priority, least);
  CHECK_OK(simtStreamDestroy(stream));

  CHECK_OK(simtStreamGetFlags(nullptr, &flags));
  CHECK_EQ(flags, simtStreamDefault);
}

TEST_CASE("streams with invalid arguments cannot be made") {
  simtStream_t stream;
  CHECK_EQ(simtStreamCreateWithFlags(&stream, 0xff), simtErrorInvalidValue);
  CHECK_EQ(simtStreamCreate(nullptr), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

// "In case the device is still doing work in the stream stream when cudaStreamDestroy() is called,
// the function will return immediately and the resources associated with stream will be released
// automatically once the device has completed all work in stream."
TEST_CASE("a stream may be destroyed while it has work; its handle is then invalid") {
  const DeviceArray<int> value(1);
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreateWithFlags(&stream, simtStreamNonBlocking));
  Gate gate;
  gate.hold(stream);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 4);
  CHECK_OK(simtStreamDestroy(stream));
  CHECK_EQ(simtStreamDestroy(stream), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtStreamSynchronize(stream), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtStreamQuery(stream), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidResourceHandle);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1000);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidResourceHandle);
  gate.open();
  CHECK_OK(simtDeviceSynchronize());
  CHECK_EQ(value_of(value.data()), 4);
}

TEST_CASE("a handle that never was a stream") {
  int not_a_stream = 0;
  const auto stream = reinterpret_cast<simtStream_t>(&not_a_stream);
  CHECK_EQ(simtStreamSynchronize(stream), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtLaunchHostFunc(
               stream, [](void*) {}, nullptr),
           simtErrorInvalidResourceHandle);
  CHECK_EQ(simtStreamDestroy(nullptr), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidResourceHandle);
  CHECK_OK(simtGetLastError());
}

}  // namespace
