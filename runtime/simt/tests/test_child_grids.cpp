// Kernels that launch kernels, and the calls that kernels may make. CUDA C++ Programming Guide,
// "CUDA Dynamic Parallelism": "Parent and Child Grids", "Execution Environment", "Device Runtime
// API".
#include "kernel_test.h"

namespace {

__global__ void add(int* value, int amount) { *value += amount; }
__global__ void times(int* value, int factor) { *value *= factor; }
__global__ void set(int* values, int index, int value) { values[index] = value; }

__global__ void children(int* values, int count) {
  values[0] = 1;
  for (int i = 1; i < count; ++i) SIMT_LAUNCH((set), (1), (1), (0), (0), values, i, i + 1);
}

TEST_CASE("a grid is complete when the grids that it launched are complete") {
  const DeviceArray<int> values(4);
  for (int round = 0; round < 20; ++round) {
    REQUIRE_OK(simtMemset(values.data(), 0, values.bytes()));
    SIMT_LAUNCH((children), (1), (1), (0), (0), values.data(), 4);
    CHECK_EQ(values.values(), std::vector<int>{1, 2, 3, 4});
  }
}

TEST_CASE("a kernel may launch more kernels than a stream may have pending") {
  constexpr int kCount = 5000;
  const DeviceArray<int> values(kCount);
  SIMT_LAUNCH((children), (1), (1), (0), (0), values.data(), kCount);
  const std::vector<int> found = values.values();
  for (int i = 0; i < kCount; ++i) REQUIRE_EQ(found[static_cast<std::size_t>(i)], i + 1);
}

__global__ void in_order(int* value) {
  SIMT_LAUNCH((add), (1), (1), (0), (0), value, 3);
  SIMT_LAUNCH((times), (1), (1), (0), (0), value, 5);
  SIMT_LAUNCH((add), (1), (1), (0), (0), value, 1);
}

TEST_CASE("kernels that a block launches on its null stream run in their order") {
  const DeviceArray<int> value(1, 1);
  SIMT_LAUNCH((in_order), (1), (1), (0), (0), value.data());
  CHECK_EQ(value.values()[0], 21);
}

__global__ void one_per_thread(int* counts) {
  SIMT_LAUNCH((add), (1), (1), (0), (0), counts + blockIdx.x, 1);
}

TEST_CASE("each thread of each block launches a kernel") {
  const DeviceArray<int> counts(10);
  SIMT_LAUNCH((one_per_thread), (10), (210), (0), (0), counts.data());
  CHECK_EQ(counts.values(), std::vector<int>(10, 210));
}

__global__ void nested(int* deepest, int level, int* error) {
  *deepest = level;
  SIMT_LAUNCH((nested), (1), (1), (0), (0), deepest, level + 1, error);
  const simtError_t of_launch = simtGetLastError();
  if (of_launch != simtSuccess) *error = of_launch;
}

TEST_CASE("nesting ends at 24 levels with an error") {
  const DeviceArray<int> deepest(1), error(1);
  SIMT_LAUNCH((nested), (1), (1), (0), (0), deepest.data(), 1, error.data());
  CHECK_EQ(deepest.values()[0], 24);
  CHECK_EQ(error.values()[0], simtErrorLaunchMaxDepthExceeded);
}

TEST_CASE("streams, events and graphs wait for the children, too") {
  TestStream first, second;
  TestEvent done;
  const DeviceArray<int> value(1, 1);
  for (int round = 0; round < 10; ++round) {
    REQUIRE_OK(simtMemset(value.data(), 0, sizeof(int)));
    REQUIRE_OK(simtDeviceSynchronize());
    SIMT_LAUNCH((in_order), (1), (1), (0), (first), value.data());  // 16
    REQUIRE_OK(simtEventRecord(done, first));
    REQUIRE_OK(simtStreamWaitEvent(second, done));
    SIMT_LAUNCH((times), (1), (1), (0), (second), value.data(), 2);  // 32
    REQUIRE_OK(simtStreamSynchronize(second));
    REQUIRE_EQ(value.values()[0], 32);
  }
}

__global__ void own_stream(int* value, int* errors) {
  simtStream_t stream;
  errors[0] = simtStreamCreateWithFlags(&stream, simtStreamNonBlocking);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value, 4);
  errors[1] = simtStreamDestroy(stream);
  errors[2] = simtStreamCreateWithFlags(&stream, simtStreamDefault);
  simtEvent_t event;
  errors[3] = simtEventCreateWithFlags(&event, simtEventDefault);
  errors[4] = simtEventCreateWithFlags(&event, simtEventDisableTiming);
  errors[5] = simtEventRecord(event, nullptr);
  errors[6] = simtEventDestroy(event);
}

TEST_CASE("streams and events that kernels make") {
  const DeviceArray<int> value(1), errors(7, -1);
  SIMT_LAUNCH((own_stream), (1), (1), (0), (0), value.data(), errors.data());
  CHECK_EQ(value.values()[0], 4);
  CHECK_EQ(errors.values(),
           std::vector<int>{0, 0, simtErrorInvalidValue, simtErrorInvalidValue, 0, 0, 0});
}

__global__ void calls_of_the_host(int* errors, simtStream_t stream, simtEvent_t event) {
  errors[0] = simtDeviceSynchronize();
  errors[1] = simtStreamSynchronize(stream);
  errors[2] = simtEventSynchronize(event);
  errors[3] = simtMemcpy(errors, errors, 0, simtMemcpyDefault);
  errors[4] = simtDeviceReset();
  SIMT_LAUNCH((set), (1), (1), (0), (stream), errors, 5, 77);
  errors[5] = simtGetLastError();
}

// CUDA removed device-side synchronisation in CUDA 12.
TEST_CASE("kernels must not call functions that wait") {
  TestStream stream;
  TestEvent event;
  const DeviceArray<int> errors(6);
  SIMT_LAUNCH((calls_of_the_host), (1), (1), (0), (0), errors.data(),
              static_cast<simtStream_t>(stream), static_cast<simtEvent_t>(event));
  std::vector<int> expected(6, simtErrorNotPermitted);
  expected[5] = simtErrorInvalidResourceHandle;
  CHECK_EQ(errors.values(), expected);
}

__global__ void fails(int* errors) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread % 2 == 1) static_cast<void>(simtDeviceSynchronize());
  __syncthreads();
  errors[2 * thread] = simtGetLastError();
  errors[2 * thread + 1] = simtGetLastError();
}

TEST_CASE("each thread of a kernel has its own last error") {
  const DeviceArray<int> errors(2 * 64);
  SIMT_LAUNCH((fails), (2), (32), (0), (0), errors.data());
  const std::vector<int> found = errors.values();
  for (std::size_t thread = 0; thread < 64; ++thread) {
    REQUIRE_EQ(found[2 * thread], thread % 2 == 1 ? simtErrorNotPermitted : simtSuccess);
    REQUIRE_EQ(found[2 * thread + 1], simtSuccess);
  }
  CHECK_OK(simtGetLastError());
}

__global__ void allocate(int** memory, int* errors) {
  errors[0] = simtMalloc(memory, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) (*memory)[i] = i + 7;
}
__global__ void read_and_free(int** memory, int* values, int* of_host, int* errors) {
  for (int i = 0; i < 4; ++i) values[i] = (*memory)[i];
  errors[0] = simtFree(*memory);
  errors[1] = simtFree(nullptr);
  errors[2] = simtFree(of_host);
}

// "Dynamic Global Memory Allocation and Operations": kernels cannot free memory that the host has
// allocated by cudaMalloc, and the host cannot free memory that kernels have allocated.
TEST_CASE("kernels allocate memory, and free only memory of kernels") {
  const DeviceArray<int*> memory(1);
  const DeviceArray<int> values(4), errors(3, -1), of_host(1);
  SIMT_LAUNCH((allocate), (1), (1), (0), (0), memory.data(), errors.data());
  CHECK_EQ(errors.values()[0], simtSuccess);
  CHECK_EQ(simtFree(memory.values()[0]), simtErrorInvalidValue);
  static_cast<void>(simtGetLastError());
  SIMT_LAUNCH((read_and_free), (1), (1), (0), (0), memory.data(), values.data(), of_host.data(),
              errors.data());
  CHECK_EQ(values.values(), std::vector<int>{7, 8, 9, 10});
  CHECK_EQ(errors.values(), std::vector<int>{0, 0, simtErrorInvalidValue});
}

__global__ void faulty() { *reinterpret_cast<volatile int*>(16) = 1; }
__global__ void launches_faulty() { SIMT_LAUNCH((faulty), (1), (1), (0), (0)); }

TEST_CASE("a fault of a child grid is an error of the device") {
  CapturedOutput report(2);
  SIMT_LAUNCH((launches_faulty), (1), (1), (0), (0));
  CHECK_EQ(simtDeviceSynchronize(), simtErrorIllegalAddress);
  CHECK_OK(simtDeviceReset());
  static_cast<void>(simtGetLastError());
}

}  // namespace
