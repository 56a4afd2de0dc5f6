// Faults of kernels. The report of a fault names the kernel. The next synchronisation returns an
// error, which persists until simtDeviceReset; the process continues. The error codes are those
// that the CUDA Runtime API documents for the same fault ("Data types used by CUDA Runtime",
// cudaError).
#include "kernel_test.h"

#include <stdexcept>

// Kernels are not in an unnamed namespace, so that reports can name the functions in which threads
// wait.

__global__ void skips_a_shuffle(int* out) {
  int value = static_cast<int>(threadIdx.x);
  if (threadIdx.x != 0) value = __shfl_sync(simtrt::kAllLanes, value, 1);
  __syncthreads();
  out[threadIdx.x] = value;
}

__global__ void skips_a_barrier(int* out) {
  if (threadIdx.x == 3) {
    __syncwarp(simtrt::kAllLanes);
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

__global__ void asserts_below(int limit, int* seen) {
  atomicExch(&seen[threadIdx.x], 1);  // several blocks may be here
  assert(static_cast<int>(threadIdx.x) < limit);
}

__global__ void asserts_after_a_barrier() {
  __shared__ int values[64];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  assert(values[63 - threadIdx.x] != 40);
  __syncthreads();
}

__device__ int dive(volatile int* depth) {
  volatile char frame[512];
  frame[*depth % 512] = 1;
  *depth = *depth + 1;
  return *depth < 0 ? 0 : dive(depth) + frame[0];
}

__global__ void dives(int* out) {
  volatile int depth = 0;
  *out = dive(&depth);
}

// Needs more stack than a kernel has by default.
__global__ void fills_its_stack(int* out) {
  volatile char frame[600 * 1024];
  // The loop begins at the highest address, as a stack grows, so that a stack that is too small
  // first reaches its guard page.
  for (std::size_t byte = sizeof frame; byte > 1024; byte -= 1024) frame[byte - 1] = 1;
  *out = frame[512 * 1024 - 1];
}

__global__ void dives_after_a_barrier(int* out) {
  __syncthreads();
  volatile int depth = 0;
  if (threadIdx.x == 17) *out = dive(&depth);
  __syncthreads();
}

__global__ void throws() {
  if (blockIdx.x == 2 && threadIdx.x == 7) throw std::runtime_error("no such thing on a GPU");
}

__global__ void writes_to(int* pointer) { *pointer = 1; }

// Compilers choose this instruction for int4 from -O2 on.
using Int4 = int __attribute__((vector_size(16)));
__global__ void copies_a_vector(Int4* to, const Int4* from) { *to = *from; }
__global__ void wraps_static_shared(unsigned x) {
  __shared__ float values[64];
  volatile float* end = values + 64;
  end[~x] = 1;
}
__global__ void traps() {
  if (threadIdx.x == 1) __trap();
}
__global__ void meets_without_itself() {
  if (threadIdx.x == 5) __syncwarp(0xf);
}
__global__ void count(int* counter) { atomicAdd(counter, 1); }

namespace {

/// Waits for the device, checks that the error persists, and resets the device. Returns the report
/// of the fault.
template <class Launch>
std::string report_of(simtError_t expected, Launch launch) {
  std::string report;
  {
    CapturedOutput stderr_text(2);
    launch();
    CHECK_EQ(simtDeviceSynchronize(), expected);
    report = stderr_text.text();
  }
  CHECK_EQ(simtDeviceSynchronize(), expected);
  void* memory = nullptr;
  CHECK_EQ(simtMalloc(&memory, 16), expected);
  CHECK_EQ(simtPeekAtLastError(), expected);
  CHECK_EQ(simtGetLastError(), expected);
  CHECK_OK(simtGetLastError());  // each call returns the error, but the last error is that of a call
  CHECK_OK(simtDeviceReset());
  CHECK_OK(simtDeviceSynchronize());
  return report;
}

/// Checks that the device works as before the fault.
void check_device_works() {
  static_cast<void>(simtGetLastError());
  const DeviceArray<int> counter(1);
  SIMT_LAUNCH((count), (10), (64), (0), (0), counter.data());
  REQUIRE_FINISHED();
  CHECK_EQ(counter.values()[0], 640);
}

/// Pinned host memory, which a reset of the device does not free.
class PinnedInts {
 public:
  explicit PinnedInts(std::size_t count) : size(count) {
    REQUIRE_OK(simtMallocHost(&data, count * sizeof(int)));
    for (std::size_t i = 0; i < count; ++i) data[i] = 0;
  }
  PinnedInts(const PinnedInts&) = delete;
  PinnedInts& operator=(const PinnedInts&) = delete;
  ~PinnedInts() { simtFreeHost(data); }
  int* data = nullptr;
  std::size_t size;
};

TEST_CASE("a deadlock report states the kernel, the block, the waiting threads and their calls") {
  PinnedInts out(64);
  const std::string report = report_of(simtErrorLaunchTimeout, [&] {
    SIMT_LAUNCH((skips_a_shuffle), (1), (warpSize), (0), (0), out.data);
  });
  INFO(report);
  CHECK(contains(report, "skips_a_shuffle"));
  CHECK(contains(report, "deadlock"));
  CHECK(contains(report, "block (0,0,0)"));
  CHECK(contains(report, "shuffle"));
  CHECK(contains(report, "__syncthreads"));
  CHECK(contains(report, "threads 1 to " + std::to_string(warpSize - 1)));
  CHECK(contains(report, "test_faults.cpp"));
  check_device_works();
}

TEST_CASE("a deadlock between a barrier of the block and one of the warp") {
  PinnedInts out(100);
  const std::string report = report_of(simtErrorLaunchTimeout, [&] {
    SIMT_LAUNCH((skips_a_barrier), (3), (100), (0), (0), out.data);
  });
  INFO(report);
  CHECK(contains(report, "skips_a_barrier"));
  CHECK(contains(report, "__syncwarp"));
  CHECK(contains(report, "thread 3"));
  CHECK_EQ(out.data[0], 0);
  check_device_works();
}

TEST_CASE("an assertion of the device ends the kernel, not the process") {
  PinnedInts seen(32);
  const std::string report = report_of(
      simtErrorAssert, [&] { SIMT_LAUNCH((asserts_below), (1), (32), (0), (0), 20, seen.data); });
  INFO(report);
  CHECK(contains(report, "asserts_below"));
  CHECK(contains(report, "Assertion `static_cast<int>(threadIdx.x) < limit` failed"));
  CHECK(contains(report, "test_faults.cpp"));
  CHECK(contains(report, "thread (20,0,0)"));
  CHECK_EQ(seen.data[20], 1);
  check_device_works();
}

TEST_CASE("an assertion that holds prints nothing") {
  const DeviceArray<int> seen(32);
  CapturedOutput stderr_text(2);
  SIMT_LAUNCH((asserts_below), (1), (32), (0), (0), 32, seen.data());
  REQUIRE_FINISHED();
  CHECK_EQ(stderr_text.text(), "");
}

TEST_CASE("after a failed assertion, the device runs no work until it is reset") {
  PinnedInts seen(32), counter(1);
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreate(&stream));
  CapturedOutput stderr_text(2);
  SIMT_LAUNCH((asserts_below), (1), (32), (0), (stream), 1, seen.data);
  SIMT_LAUNCH((count), (1), (32), (0), (stream), counter.data);
  CHECK_EQ(simtStreamSynchronize(stream), simtErrorAssert);
  CHECK_EQ(counter.data[0], 0);
  SIMT_LAUNCH((count), (1), (32), (0), (stream), counter.data);
  CHECK_EQ(simtGetLastError(), simtErrorAssert);
  CHECK_EQ(simtStreamQuery(stream), simtErrorAssert);
  int host = 0;
  CHECK_EQ(simtMemcpy(&host, counter.data, sizeof host, simtMemcpyDeviceToHost), simtErrorAssert);
  CHECK_EQ(simtFree(nullptr), simtErrorAssert);
  CHECK_EQ(counter.data[0], 0);
  CHECK_OK(simtDeviceReset());
  check_device_works();
}

TEST_CASE("an assertion while other threads of the block wait") {
  for (int round = 0; round < 20; ++round) {
    const std::string report = report_of(
        simtErrorAssert, [] { SIMT_LAUNCH((asserts_after_a_barrier), (8), (64), (0), (0)); });
    CHECK(contains(report, "values[63 - threadIdx.x] != 40"));
  }
  check_device_works();
}

// cudaErrorHardwareStackError: "Device encountered an error in the call stack during kernel
// execution, possibly due to stack corruption or exceeding the stack size limit."
TEST_CASE("a stack that is exhausted") {
  PinnedInts out(1);
  for (int round = 0; round < 3; ++round) {
    const std::string report = report_of(
        simtErrorHardwareStackError, [&] { SIMT_LAUNCH((dives), (1), (1), (0), (0), out.data); });
    INFO(report);
    CHECK(contains(report, "dives"));
    CHECK(contains(report, "stack"));
    check_device_works();
  }
}

TEST_CASE("a larger stack limit applies to the next kernel") {
  std::size_t usual = 0;
  REQUIRE_OK(simtDeviceGetLimit(&usual, simtLimitStackSize));
  REQUIRE_EQ(usual, 256 * 1024);
  PinnedInts out(1);
  check_device_works();
  REQUIRE_OK(simtDeviceSetLimit(simtLimitStackSize, 1024 * 1024));
  SIMT_LAUNCH((fills_its_stack), (1), (1), (0), (0), out.data);
  REQUIRE_FINISHED();
  CHECK_EQ(out.data[0], 1);
  REQUIRE_OK(simtDeviceSetLimit(simtLimitStackSize, usual));
  report_of(simtErrorHardwareStackError,
            [&] { SIMT_LAUNCH((fills_its_stack), (1), (1), (0), (0), out.data); });
  check_device_works();
}

TEST_CASE("the stack of one fiber among many is exhausted") {
  PinnedInts out(1);
  const std::string report = report_of(simtErrorHardwareStackError, [&] {
    SIMT_LAUNCH((dives_after_a_barrier), (4), (64), (0), (0), out.data);
  });
  INFO(report);
  CHECK(contains(report, "thread (17,0,0)"));
  CHECK(contains(report, "stack"));
  check_device_works();
}

TEST_CASE("an exception that leaves a kernel") {
  const std::string report =
      report_of(simtErrorLaunchFailure, [] { SIMT_LAUNCH((throws), (5), (32), (0), (0)); });
  INFO(report);
  CHECK(contains(report, "throws"));
  CHECK(contains(report, "no such thing on a GPU"));
  CHECK(contains(report, "block (2,0,0), thread (7,0,0)"));
  check_device_works();
}

TEST_CASE("a null pointer, and a pointer to unmapped memory") {
  for (int* const pointer : {static_cast<int*>(nullptr), reinterpret_cast<int*>(0x1000)}) {
    const std::string report = report_of(
        simtErrorIllegalAddress, [&] { SIMT_LAUNCH((writes_to), (1), (1), (0), (0), pointer); });
    INFO(report);
    CHECK(contains(report, "writes_to"));
    check_device_works();
  }
}

// cudaErrorMisalignedAddress: "the device encountered a load or store instruction on a memory
// address which is not aligned".
TEST_CASE("a vector at an address that is not a multiple of its alignment") {
  const PinnedInts memory(16);
  for (const int offset : {1, 2, 3}) {
    const auto* from = reinterpret_cast<const Int4*>(memory.data + offset);
    auto* to = reinterpret_cast<Int4*>(memory.data + 8);
#if defined(__x86_64__)
    const std::string report = report_of(simtErrorMisalignedAddress, [&] {
      SIMT_LAUNCH((copies_a_vector), (1), (1), (0), (0), to, from);
    });
    INFO(report);
    CHECK(contains(report, "copies_a_vector"));
    CHECK(contains(report, "misaligned"));
    char address[24];
    std::snprintf(address, sizeof address, "%p", static_cast<const void*>(from));
    CHECK(contains(report, address));
#else
    SIMT_LAUNCH((copies_a_vector), (1), (1), (0), (0), to, from);
    REQUIRE_FINISHED();
#endif
    check_device_works();
  }
}

TEST_CASE("the address of an access whose address x86-64 does not report") {
  auto* pointer = reinterpret_cast<int*>(0xdeadbeefdeadbee0);
  const std::string report = report_of(
      simtErrorIllegalAddress, [&] { SIMT_LAUNCH((writes_to), (1), (1), (0), (0), pointer); });
  INFO(report);
  // A sanitizer would first read its shadow memory, at another address.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(contains(report, "0xdeadbeefdeadbee0"));
#endif
  check_device_works();
}

// With the compiler's plugin, this access is valid: test_static_shared.cpp.
TEST_CASE("an unsigned index of static shared memory that wraps around is reported as such") {
  if (SIMT_SHARED_IN_WORKER) return;
  const std::string report = report_of(
      simtErrorIllegalAddress, [] { SIMT_LAUNCH((wraps_static_shared), (1), (4), (0), (0), 1u); });
  INFO(report);
  CHECK(contains(report, "32 bits"));
  check_device_works();
}

TEST_CASE("__trap") {
  const std::string report =
      report_of(simtErrorLaunchFailure, [] { SIMT_LAUNCH((traps), (1), (32), (0), (0)); });
  INFO(report);
  CHECK(contains(report, "traps"));
  CHECK(contains(report, "thread (1,0,0)"));
  check_device_works();
}

TEST_CASE("a collective whose mask lacks the caller") {
  const std::string report = report_of(
      simtErrorLaunchFailure, [] { SIMT_LAUNCH((meets_without_itself), (1), (32), (0), (0)); });
  INFO(report);
  CHECK(contains(report, "meets_without_itself"));
  CHECK(contains(report, "mask"));
  check_device_works();
}

TEST_CASE("a launch with faults in many blocks has one report and one error") {
  PinnedInts seen(32);
  const std::string report = report_of(
      simtErrorAssert, [&] { SIMT_LAUNCH((asserts_below), (500), (32), (0), (0), 5, seen.data); });
  const std::size_t first = report.find("Assertion");
  CHECK_NE(first, std::string::npos);
  CHECK_EQ(report.find("Assertion", first + 1), std::string::npos);
}

TEST_CASE("a fault on one device does not affect another device") {
  int devices = 0;
  REQUIRE_OK(simtGetDeviceCount(&devices));
  if (devices < 2) return;
  PinnedInts seen(32);
  CapturedOutput stderr_text(2);
  REQUIRE_OK(simtSetDevice(1));
  SIMT_LAUNCH((asserts_below), (1), (32), (0), (0), 1, seen.data);
  CHECK_EQ(simtDeviceSynchronize(), simtErrorAssert);
  REQUIRE_OK(simtSetDevice(0));
  static_cast<void>(simtGetLastError());
  check_device_works();
  REQUIRE_OK(simtSetDevice(1));
  CHECK_EQ(simtDeviceSynchronize(), simtErrorAssert);
  CHECK_OK(simtDeviceReset());
  check_device_works();
  REQUIRE_OK(simtSetDevice(0));
}

TEST_CASE("an event and a callback of a stream with a fault have its error") {
  PinnedInts seen(32);
  simtStream_t stream;
  simtEvent_t event;
  REQUIRE_OK(simtStreamCreate(&stream));
  REQUIRE_OK(simtEventCreate(&event));
  CapturedOutput stderr_text(2);
  SIMT_LAUNCH((asserts_below), (1), (32), (0), (stream), 1, seen.data);
  static_cast<void>(simtEventRecord(event, stream));
  CHECK_EQ(simtEventSynchronize(event), simtErrorAssert);
  CHECK_EQ(simtEventQuery(event), simtErrorAssert);
  CHECK_OK(simtDeviceReset());
  check_device_works();
}

}  // namespace
