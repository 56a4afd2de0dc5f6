// Launches that CUDA rejects. The launch returns the error immediately, the error does not persist,
// and no thread runs. CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability"; CUDA Runtime API, cudaError.
#include "kernel_test.h"

#include <thread>

namespace {

__global__ void count(int* counter) { atomicAdd(counter, 1); }

__global__ void use_shared(int* out) {
  int (&memory)[] = SIMT_DYNAMIC_SHARED(int);
  const unsigned last = static_cast<unsigned>(simtrt::dynamic_shared_size() / sizeof(int)) - 1;
  memory[last] = 3;
  *out = memory[last];
}

/// Error of a launch whose kernel must not run.
simtError_t refused(dim3 grid, dim3 block, std::size_t shared = 0) {
  const DeviceArray<int> counter(1);
  SIMT_LAUNCH((count), (grid), (block), (shared), (0), counter.data());
  const simtError_t error = simtGetLastError();
  CHECK_OK(simtGetLastError());
  CHECK_OK(simtDeviceSynchronize());
  CHECK_EQ(counter.values()[0], 0);
  return error;
}

TEST_CASE("blocks and grids of no threads") {
  CHECK_EQ(refused(1, 0), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(1, dim3(32, 0)), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(1, dim3(32, 1, 0)), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(0, 32), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(dim3(1, 0), 32), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(dim3(1, 1, 0), 32), simtErrorInvalidConfiguration);
}

TEST_CASE("blocks that are too large") {
  CHECK_EQ(refused(1, 1025), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(1, dim3(1, 1025)), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(1, dim3(33, 32)), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(1, dim3(1, 1, 65)), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(1, dim3(65536, 65536)), simtErrorInvalidConfiguration);
}

TEST_CASE("grids that are too large") {
  CHECK_EQ(refused(dim3(2147483648u), 1), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(dim3(1, 65536), 1), simtErrorInvalidConfiguration);
  CHECK_EQ(refused(dim3(1, 1, 65536), 1), simtErrorInvalidConfiguration);
}

// A launch that requests more dynamic shared memory than the kernel may have returns
// simtErrorInvalidValue.
TEST_CASE("more shared memory than a block may have") {
  CHECK_EQ(refused(1, 1, 48 * 1024 + 1), simtErrorInvalidValue);
  CHECK_EQ(refused(1, 1, std::size_t{1} << 40), simtErrorInvalidValue);
}

// Programming Guide, "Shared Memory" of compute capability 7.x: "a kernel must explicitly opt-in to
// dynamic shared memory ... of more than 48 KB ... using cudaFuncSetAttribute()".
TEST_CASE("up to 96 KiB of shared memory for kernels that ask for it") {
  const DeviceArray<int> out(1);
  const int large = 96 * 1024;
  SIMT_LAUNCH((use_shared), (1), (1), (large), (0), out.data());
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
  CHECK_EQ(simtFuncSetAttribute(use_shared, simtFuncAttributeMaxDynamicSharedMemorySize, large + 1),
           simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
  REQUIRE_OK(simtFuncSetAttribute(use_shared, simtFuncAttributeMaxDynamicSharedMemorySize, large));
  SIMT_LAUNCH((use_shared), (1), (1), (large), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 3);
  simtFuncAttributes attributes;
  REQUIRE_OK(simtFuncGetAttributes(&attributes, use_shared));
  CHECK_EQ(attributes.maxDynamicSharedSizeBytes, large);
  // The larger limit applies to one kernel only.
  CHECK_EQ(refused(1, 1, large), simtErrorInvalidValue);
}

TEST_CASE("simtLaunchKernel returns the error") {
  int* null = nullptr;
  void* arguments[] = {&null};
  CHECK_EQ(simtLaunchKernel(count, dim3(1), dim3(2000), arguments, 0, nullptr),
           simtErrorInvalidConfiguration);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidConfiguration);
  CHECK_EQ(
      simtLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), arguments, 0, nullptr),
      simtErrorInvalidDeviceFunction);
  int no_kernel = 0;
  CHECK_EQ(simtLaunchKernel(static_cast<const void*>(&no_kernel), dim3(1), dim3(1), arguments, 0,
                            nullptr),
           simtErrorInvalidDeviceFunction);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidDeviceFunction);
}

TEST_CASE("a cooperative launch that is larger than the device") {
  int per_multiprocessor = 0;
  simtDeviceProp properties;
  REQUIRE_OK(simtOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, count, 1024, 0));
  REQUIRE_OK(simtGetDeviceProperties(&properties, 0));
  const int most = per_multiprocessor * properties.multiProcessorCount;
  int* null = nullptr;
  void* arguments[] = {&null};
  CHECK_EQ(simtLaunchCooperativeKernel(count, dim3(static_cast<unsigned>(most) + 1), dim3(1024),
                                       arguments, 0, nullptr),
           simtErrorCooperativeLaunchTooLarge);
  CHECK_EQ(simtGetLastError(), simtErrorCooperativeLaunchTooLarge);
}

TEST_CASE("the last error stays until a query; calls that succeed do not clear it") {
  const DeviceArray<int> counter(1);
  SIMT_LAUNCH((count), (1), (0), (0), (0), counter.data());
  SIMT_LAUNCH((count), (1), (1), (0), (0), counter.data());
  CHECK_OK(simtDeviceSynchronize());
  CHECK_EQ(simtPeekAtLastError(), simtErrorInvalidConfiguration);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidConfiguration);
  CHECK_OK(simtGetLastError());
  CHECK_EQ(counter.values()[0], 1);
}

// CUDA Runtime API, cudaGetLastError: returns the last error of the calls "in the host thread".
TEST_CASE("each thread of the host has its own last error") {
  const DeviceArray<int> counter(1);
  SIMT_LAUNCH((count), (1), (0), (0), (0), counter.data());
  simtError_t of_other = simtErrorUnknown;
  std::thread([&] { of_other = simtGetLastError(); }).join();
  CHECK_OK(of_other);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidConfiguration);
}

TEST_CASE("names and texts of errors") {
  // CUDA Runtime API, cudaGetErrorName: "the string representation of an error code enum name".
  CHECK_EQ(std::string(simtGetErrorName(simtSuccess)), "simtSuccess");
  CHECK_EQ(std::string(simtGetErrorName(simtErrorInvalidConfiguration)),
           "simtErrorInvalidConfiguration");
  CHECK_EQ(std::string(simtGetErrorName(simtErrorAssert)), "simtErrorAssert");
  CHECK_EQ(static_cast<int>(simtErrorAssert), 710);
  CHECK_EQ(static_cast<int>(simtErrorInvalidConfiguration), 9);
  CHECK_EQ(static_cast<int>(simtErrorIllegalAddress), 700);
  // "If the error code is not recognized, "unrecognized error code" is returned."
  CHECK_EQ(std::string(simtGetErrorName(static_cast<simtError_t>(12345))),
           "unrecognized error code");
  CHECK_EQ(std::string(simtGetErrorString(static_cast<simtError_t>(12345))),
           "unrecognized error code");
  CHECK_EQ(std::string(simtGetErrorString(simtSuccess)), "no error");
  CHECK_NE(std::string(simtGetErrorString(simtErrorMemoryAllocation)), "");
}

}  // namespace
