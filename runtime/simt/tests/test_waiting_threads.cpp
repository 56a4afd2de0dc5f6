// Threads of the program that execute the work for which they wait (src/streams/helping_thread.h).
#include "kernel_test.h"

#include <pthread.h>
#include <signal.h>

#include <cfenv>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

__global__ void note_thread(pthread_t* thread) { *thread = pthread_self(); }
__global__ void halve(float* value) { *value *= 0.5f; }
__global__ void round_sum(const double* addends, double* sum) { *sum = addends[0] + addends[1]; }
__global__ void write_nowhere(pthread_t* thread, int* const* nowhere) {
  *thread = pthread_self();
  **nowhere = 1;
}
__global__ void wait_for(const int* flag) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __nanosleep(1000);
}
__global__ void keep(std::shared_ptr<DeviceArray<int>>) {}
__global__ void at_barrier(int* sum) {
  __shared__ int parts[64];
  parts[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    for (int part : parts) *sum += part;
}

// Calls `attempt`, which returns the thread that has executed a kernel, until that was the calling thread. Workers sleep
// before each attempt, so that the calling thread is faster.
template <class Attempt>
void until_this_thread_helps(Attempt attempt) {
  for (int number = 0; number < 500; ++number) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (pthread_equal(attempt(), pthread_self()) != 0) return;
  }
  FAIL("the thread has not helped in 500 attempts");
}

TEST_CASE("a thread that waits executes work that no worker has begun") {
  TestStream stream;
  const DeviceArray<int> sum(1);
  int expected = 0;
  until_this_thread_helps([&] {
    pthread_t executed{};
    SIMT_LAUNCH((note_thread), (1), (1), (0), (stream), &executed);
    SIMT_LAUNCH((at_barrier), (1), (64), (0), (stream), sum.data());
    REQUIRE_OK(simtStreamSynchronize(stream));
    expected += 63 * 64 / 2;
    return executed;
  });
  CHECK_EQ(sum.values().front(), expected);
}

TEST_CASE("a thread that waits for an event leaves later work to the workers") {
  TestStream stream;
  const DeviceArray<int> flag(1);
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    REQUIRE_OK(simtMemset(flag.data(), 0, flag.bytes()));
    const DeviceArray<float> value(1, 1.0f);
    TestEvent event;
    SIMT_LAUNCH((halve), (1), (1), (0), (stream), value.data());
    REQUIRE_OK(simtEventRecord(event, stream));
    SIMT_LAUNCH((wait_for), (1), (1), (0), (stream), flag.data());
    REQUIRE_OK(simtEventSynchronize(event));
    CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
    __atomic_store_n(flag.data(), 1, __ATOMIC_RELEASE);
    REQUIRE_OK(simtStreamSynchronize(stream));
  }
}

TEST_CASE("a thread that waits executes work of another stream for which the work waits") {
  const TestStream first(simtStreamNonBlocking), second(simtStreamNonBlocking);
  const TestEvent event;
  const DeviceArray<int> sum(1);
  int expected = 0;
  until_this_thread_helps([&] {
    pthread_t executed{};
    SIMT_LAUNCH((note_thread), (1), (1), (0), (second), &executed);
    REQUIRE_OK(simtEventRecord(event, second));
    REQUIRE_OK(simtStreamWaitEvent(first, event, 0));
    SIMT_LAUNCH((at_barrier), (1), (64), (0), (first), sum.data());
    REQUIRE_OK(simtStreamSynchronize(first));
    expected += 63 * 64 / 2;
    return executed;
  });
  CHECK_EQ(sum.values().front(), expected);
}

TEST_CASE("threads that wait for different work of a stream, which waits for another stream, all end") {
  const TestStream stream(simtStreamNonBlocking), other(simtStreamNonBlocking);
  const DeviceArray<int> flag(1), sum(1);
  for (int round = 0; round < 300; ++round) {
    REQUIRE_OK(simtMemset(flag.data(), 0, flag.bytes()));
    const TestEvent begun, early, late;
    SIMT_LAUNCH((wait_for), (1), (1), (0), (other), flag.data());
    REQUIRE_OK(simtEventRecord(begun, other));
    REQUIRE_OK(simtStreamWaitEvent(stream, begun, 0));
    SIMT_LAUNCH((at_barrier), (1), (64), (0), (stream), sum.data());
    REQUIRE_OK(simtEventRecord(early, stream));
    SIMT_LAUNCH((at_barrier), (1), (64), (0), (stream), sum.data());
    REQUIRE_OK(simtEventRecord(late, stream));
    simtError_t found[2] = {simtErrorUnknown, simtErrorUnknown};
    std::thread waits_for_early([&] { found[0] = simtEventSynchronize(early); });
    std::thread waits_for_late([&] { found[1] = simtEventSynchronize(late); });
    if (round % 3 != 0) std::this_thread::sleep_for(std::chrono::microseconds(round));
    __atomic_store_n(flag.data(), 1, __ATOMIC_RELEASE);
    waits_for_early.join();
    waits_for_late.join();
    CHECK_OK(found[0]);
    CHECK_OK(found[1]);
    CHECK_EQ(sum.values().front(), (round + 1) * 2 * (63 * 64 / 2));
  }
}

TEST_CASE("an argument of a kernel may free device memory, which waits for the kernel") {
  const TestStream stream;
  for (int round = 0; round < 50; ++round) {
    if (round % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    auto memory = std::make_shared<DeviceArray<int>>(16);
    const std::weak_ptr<DeviceArray<int>> freed = memory;
    SIMT_LAUNCH((keep), (1), (1), (0), (stream), std::move(memory));
    memory = nullptr;
    REQUIRE_OK(simtStreamSynchronize(stream));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!freed.expired() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    CHECK(freed.expired());
  }
}

TEST_CASE("the floating-point environment of a thread that helps does not reach the work") {
  TestStream stream;
  const double ulp = std::numeric_limits<double>::epsilon();
  const DeviceArray<double> addends(std::vector<double>{1.0, ulp / 4});
  const DeviceArray<double> sum(1);
  const DeviceArray<float> value(1);
  const float denormal = std::numeric_limits<float>::min();
  REQUIRE_EQ(std::fesetround(FE_UPWARD), 0);
#if defined(__x86_64__)
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
#endif
  until_this_thread_helps([&] {
    pthread_t executed{};
    REQUIRE_OK(simtMemcpyAsync(value.data(), &denormal, sizeof denormal, simtMemcpyHostToDevice, stream));
    SIMT_LAUNCH((note_thread), (1), (1), (0), (stream), &executed);
    SIMT_LAUNCH((halve), (1), (1), (0), (stream), value.data());
    SIMT_LAUNCH((round_sum), (1), (1), (0), (stream), addends.data(), sum.data());
    REQUIRE_OK(simtStreamSynchronize(stream));
    return executed;
  });
  CHECK_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
#if defined(__x86_64__)
  CHECK_EQ(_MM_GET_FLUSH_ZERO_MODE(), static_cast<unsigned>(_MM_FLUSH_ZERO_ON));
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);
#endif
  CHECK_EQ(sum.values().front(), 1.0);
  CHECK_EQ(value.values().front(), denormal / 2);
}

TEST_CASE("a thread that helps keeps its current device") {
  int devices = 0;
  REQUIRE_OK(simtGetDeviceCount(&devices));
  REQUIRE_GE(devices, 2);
  until_this_thread_helps([] {
    pthread_t executed{};
    REQUIRE_OK(simtSetDevice(1));
    TestStream stream;
    SIMT_LAUNCH((note_thread), (1), (1), (0), (stream), &executed);
    REQUIRE_OK(simtGetLastError());
    REQUIRE_OK(simtSetDevice(0));
    REQUIRE_OK(simtStreamSynchronize(stream));
    int current = -1;
    CHECK_OK(simtGetDevice(&current));
    CHECK_EQ(current, 0);
    return executed;
  });
}

TEST_CASE("a fault in a kernel that a waiting thread executes ends the kernel only") {
  stack_t own{};
  std::vector<char> memory(64 * 1024);
  own.ss_sp = memory.data();
  own.ss_size = memory.size();
  stack_t before{};
  REQUIRE_EQ(sigaltstack(&own, &before), 0);
  until_this_thread_helps([] {
    const CapturedOutput captured(2);
    pthread_t executed{};
    int* nowhere = nullptr;
    SIMT_LAUNCH((write_nowhere), (1), (64), (0), (0), &executed, &nowhere);
    CHECK_EQ(simtDeviceSynchronize(), simtErrorIllegalAddress);
    REQUIRE_OK(simtDeviceReset());
    CHECK_EQ(simtGetLastError(), simtErrorIllegalAddress);
    return executed;
  });
  stack_t after{};
  REQUIRE_EQ(sigaltstack(&before, &after), 0);
  CHECK_EQ(after.ss_sp, own.ss_sp);
}

TEST_CASE("a thread with a small stack waits for work, which workers execute") {
  pthread_attr_t attributes;
  REQUIRE_EQ(pthread_attr_init(&attributes), 0);
  REQUIRE_EQ(pthread_attr_setstacksize(&attributes, 448 * 1024), 0);
  const std::function<void()> body = [] {
    TestStream stream;
    const DeviceArray<int> sum(1);
    for (int round = 0; round < 20; ++round) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      pthread_t executed{};
      SIMT_LAUNCH((note_thread), (1), (1), (0), (stream), &executed);
      SIMT_LAUNCH((at_barrier), (1), (64), (0), (stream), sum.data());
      REQUIRE_OK(simtStreamSynchronize(stream));
      CHECK_EQ(pthread_equal(executed, pthread_self()), 0);
    }
    CHECK_EQ(sum.values().front(), 20 * 63 * 64 / 2);
  };
  pthread_t thread;
  const auto run = [](void* given) -> void* {
    (*static_cast<const std::function<void()>*>(given))();
    return nullptr;
  };
  REQUIRE_EQ(pthread_create(&thread, &attributes, run, const_cast<void*>(static_cast<const void*>(&body))), 0);
  REQUIRE_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace
