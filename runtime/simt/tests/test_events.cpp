// Events. CUDA C++ Programming Guide, "Events"; CUDA Runtime API, "Event Management".
#include "kernel_test.h"

#include <chrono>
#include <thread>

namespace {

__global__ void set(int* value, int to) { *value = to; }
__global__ void copy(const int* from, int* to) { *to = *from; }

TEST_CASE("an event that was never recorded is complete") {
  TestEvent event;
  TestStream stream;
  CHECK_OK(simtEventQuery(event));
  CHECK_OK(simtEventSynchronize(event));
  CHECK_OK(simtStreamWaitEvent(stream, event));
  CHECK_OK(simtStreamSynchronize(stream));
}

TEST_CASE("an event is complete when all earlier work is complete") {
  TestStream stream;
  TestEvent event;
  const DeviceArray<int> value(1);
  Gate gate;
  gate.hold(stream);
  SIMT_LAUNCH((set), (1), (1), (0), (stream), value.data(), 8);
  REQUIRE_OK(simtEventRecord(event, stream));
  CHECK_EQ(simtEventQuery(event), simtErrorNotReady);
  CHECK_OK(simtGetLastError());
  gate.open();
  CHECK_OK(simtEventSynchronize(event));
  CHECK_OK(simtEventQuery(event));
  CHECK_EQ(value.values()[0], 8);
}

TEST_CASE("a stream waits for an event of another stream") {
  TestStream producer, consumer;
  TestEvent ready;
  const DeviceArray<int> value(1), copied(1, -1);
  Gate gate;
  gate.hold(producer);
  SIMT_LAUNCH((set), (1), (1), (0), (producer), value.data(), 42);
  REQUIRE_OK(simtEventRecord(ready, producer));
  REQUIRE_OK(simtStreamWaitEvent(consumer, ready));
  SIMT_LAUNCH((copy), (1), (1), (0), (consumer), value.data(), copied.data());
  CHECK_EQ(simtStreamQuery(consumer), simtErrorNotReady);
  gate.open();
  CHECK_OK(simtStreamSynchronize(consumer));
  CHECK_EQ(copied.values()[0], 42);
}

// CUDA Runtime API, cudaStreamWaitEvent: "Future calls to cudaEventRecord will not affect" the
// wait. The wait is for the most recent record at the time of the call.
TEST_CASE("a wait refers to the latest record at the time of the wait's submission") {
  TestStream held, other, waiting;
  TestEvent event;
  Gate gate;
  gate.hold(held);
  REQUIRE_OK(simtEventRecord(event, held));
  REQUIRE_OK(simtStreamWaitEvent(waiting, event));
  REQUIRE_OK(simtEventRecord(event, other));
  CHECK_OK(simtEventSynchronize(event));
  CHECK_EQ(simtStreamQuery(waiting), simtErrorNotReady);
  gate.open();
  CHECK_OK(simtStreamSynchronize(waiting));
}

// "An event may be destroyed before it is complete (i.e., while cudaEventQuery() would return
// cudaErrorNotReady). In this case, the call does not block on completion of the event".
TEST_CASE("an event may be destroyed while streams wait for it") {
  TestStream held, waiting;
  simtEvent_t event;
  REQUIRE_OK(simtEventCreateWithFlags(&event, simtEventDisableTiming));
  Gate gate;
  gate.hold(held);
  REQUIRE_OK(simtEventRecord(event, held));
  REQUIRE_OK(simtStreamWaitEvent(waiting, event));
  CHECK_OK(simtEventDestroy(event));
  CHECK_EQ(simtEventDestroy(event), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtEventQuery(event), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtEventRecord(event, held), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtStreamWaitEvent(waiting, event), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtStreamQuery(waiting), simtErrorNotReady);
  gate.open();
  CHECK_OK(simtStreamSynchronize(waiting));
}

TEST_CASE("work forks to several streams and joins again, in a diamond") {
  TestStream begin, left, right;
  TestEvent forked(simtEventDisableTiming), joined(simtEventDisableTiming);
  const DeviceArray<int> values(4);
  int* at = values.data();
  for (int round = 1; round <= 50; ++round) {
    SIMT_LAUNCH((set), (1), (1), (0), (begin), at, round);
    REQUIRE_OK(simtEventRecord(forked, begin));
    REQUIRE_OK(simtStreamWaitEvent(left, forked));
    REQUIRE_OK(simtStreamWaitEvent(right, forked));
    SIMT_LAUNCH((copy), (1), (1), (0), (left), at, at + 1);
    SIMT_LAUNCH((copy), (1), (1), (0), (right), at, at + 2);
    REQUIRE_OK(simtEventRecord(joined, left));
    REQUIRE_OK(simtStreamWaitEvent(right, joined));
    SIMT_LAUNCH((copy), (1), (1), (0), (right), at + 1, at + 3);
    REQUIRE_OK(simtEventRecord(joined, right));
    REQUIRE_OK(simtStreamWaitEvent(begin, joined));
  }
  REQUIRE_OK(simtStreamSynchronize(begin));
  CHECK_EQ(values.values(), std::vector<int>{50, 50, 50, 50});
}

TEST_CASE("a stream may wait for an event of its own") {
  TestStream stream;
  TestEvent event;
  const DeviceArray<int> value(1);
  REQUIRE_OK(simtEventRecord(event, stream));
  REQUIRE_OK(simtStreamWaitEvent(stream, event));
  SIMT_LAUNCH((set), (1), (1), (0), (stream), value.data(), 3);
  CHECK_OK(simtStreamSynchronize(stream));
  CHECK_EQ(value.values()[0], 3);
}

// -- timing

TEST_CASE("the time between two events is that of the work between them") {
  TestStream stream;
  TestEvent begin, end;
  REQUIRE_OK(simtEventRecord(begin, stream));
  REQUIRE_OK(simtLaunchHostFunc(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }, nullptr));
  REQUIRE_OK(simtEventRecord(end, stream));
  REQUIRE_OK(simtEventSynchronize(end));
  float milliseconds = 0;
  REQUIRE_OK(simtEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 30.0f);
  CHECK(milliseconds < 5000.0f);
}

// CUDA Runtime API, cudaEventElapsedTime: "If either event has not been recorded then
// cudaErrorInvalidResourceHandle is returned. If cudaEventRecord() has been called on both events
// but one or both of them has not yet been completed ..., cudaErrorNotReady is returned. If either
// event was created with the cudaEventDisableTiming flag, then this function will return
// cudaErrorInvalidResourceHandle."
TEST_CASE("pairs of events without an elapsed time") {
  TestStream stream;
  TestEvent begin, end, untimed(simtEventDisableTiming);
  float milliseconds = 0;
  CHECK_EQ(simtEventElapsedTime(&milliseconds, begin, end), simtErrorInvalidResourceHandle);
  REQUIRE_OK(simtEventRecord(begin, stream));
  CHECK_EQ(simtEventElapsedTime(&milliseconds, begin, end), simtErrorInvalidResourceHandle);
  Gate gate;
  gate.hold(stream);
  REQUIRE_OK(simtEventRecord(end, stream));
  REQUIRE_OK(simtEventRecord(untimed, stream));
  CHECK_EQ(simtEventElapsedTime(&milliseconds, begin, end), simtErrorNotReady);
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_OK(simtEventElapsedTime(&milliseconds, begin, end));
  CHECK_EQ(simtEventElapsedTime(&milliseconds, begin, untimed), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtEventElapsedTime(nullptr, begin, end), simtErrorInvalidValue);
  static_cast<void>(simtGetLastError());
}

TEST_CASE("flags of events") {
  simtEvent_t event;
  REQUIRE_OK(simtEventCreateWithFlags(&event, simtEventBlockingSync | simtEventDisableTiming));
  CHECK_OK(simtEventRecord(event));
  CHECK_OK(simtEventSynchronize(event));
  CHECK_OK(simtEventDestroy(event));
  CHECK_EQ(simtEventCreateWithFlags(&event, 0x100), simtErrorInvalidValue);
  // "cudaEventInterprocess must be specified along with cudaEventDisableTiming."
  CHECK_EQ(simtEventCreateWithFlags(&event, simtEventInterprocess), simtErrorInvalidValue);
  CHECK_EQ(simtEventCreate(nullptr), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

TEST_CASE("an event of the default stream comes after blocking streams") {
  TestStream blocking(simtStreamDefault), apart(simtStreamNonBlocking);
  TestEvent event;
  Gate gate;
  gate.hold(blocking);
  REQUIRE_OK(simtEventRecord(event));
  CHECK_EQ(simtEventQuery(event), simtErrorNotReady);
  gate.open();
  CHECK_OK(simtEventSynchronize(event));
}

}  // namespace
