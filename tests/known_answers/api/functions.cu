// Attributes of functions, cache settings and occupancy as far as they do not depend on the device.
#include "cases.h"

__global__ void nothing() {}
__global__ void with_static(float* p) {
  __shared__ float room[100];
  __shared__ char byte;
  room[threadIdx.x] = p[threadIdx.x];
  byte = 1;
  __syncthreads();
  p[threadIdx.x] = room[99 - threadIdx.x] + byte;
}
__constant__ int constants[64];
__global__ void with_constant(int* p) { *p = constants[*p]; }
__global__ void __launch_bounds__(128) bounded(int* p) { *p = 1; }
__global__ void __launch_bounds__(256, 2) bounded_twice(int* p) { *p = 1; }
template <int N>
__global__ void templated(int* p) { *p = N; }
__global__ void with_local(int* p, int n) {
  int room[64];
  for (int i = 0; i < 64; i++) room[i] = p[i];
  for (int i = 0; i < n; i++) room[p[i] & 63] += i;
  *p = room[n & 63];
}

template <class K>
static void attributes(const char* name, K kernel) {
  cudaFuncAttributes a{};
  const cudaError_t e = cudaFuncGetAttributes(&a, kernel);
  CALL(name, e, a.sharedSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout,
       a.numRegs > 0, a.ptxVersion >= 50, a.binaryVersion >= 50, a.localSizeBytes > 0);
}

template <class K>
static void set(const char* name, K kernel, cudaFuncAttribute attribute, int value) {
  char line[64];
  std::snprintf(line, sizeof line, "set %s %d %d", name, int(attribute), value);
  CALL(line, cudaFuncSetAttribute(kernel, attribute, value));
}

template <class K>
static void occupancy(const char* name, K kernel) {
  for (int threads : {0, -1, 1, 32, 33, 1024, 1025, 2048}) {
    for (std::size_t shared : {std::size_t(0), std::size_t(49152), std::size_t(49153), std::size_t(1) << 30}) {
      char line[64];
      int blocks = 77;
      std::snprintf(line, sizeof line, "occupancy %s %d %zu", name, threads, shared);
      const cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared);
      CALL(line, e, blocks == 77 ? -77 : blocks > 0 ? 1 : blocks);
    }
  }
}

int main() {
  cudaFree(nullptr);
  attributes("attributes nothing", nothing);
  attributes("attributes static", with_static);
  attributes("attributes constant", with_constant);
  attributes("attributes bounded", bounded);
  attributes("attributes bounded twice", bounded_twice);
  attributes("attributes templated", templated<3>);
  attributes("attributes local", with_local);
  cudaFuncAttributes a;
  int not_a_kernel = 0;
  CALL("attributes null", cudaFuncGetAttributes(&a, (const void*)nullptr));
  CALL("attributes null out", cudaFuncGetAttributes(nullptr, nothing));
  CALL("attributes of no kernel", cudaFuncGetAttributes(&a, (const void*)&not_a_kernel));
  const cudaFuncAttribute shared = cudaFuncAttributeMaxDynamicSharedMemorySize;
  const cudaFuncAttribute carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
  for (int v : {0, 1, 1024, 49152, 65536, 1 << 20, -1}) set("nothing", nothing, shared, v);
  attributes("attributes after sets", nothing);
  set("static", with_static, shared, 49152);
  set("static", with_static, shared, 48748);
  attributes("attributes static set", with_static);
  for (int v : {-2, -1, 0, 50, 100, 101}) set("nothing", nothing, carveout, v);
  attributes("attributes carveout", nothing);
  for (int n : {0, 7, 10, 14, 15, 16, 99}) set("nothing", nothing, static_cast<cudaFuncAttribute>(n), 1);
  CALL("set null", cudaFuncSetAttribute((const void*)nullptr, shared, 1));
  CALL("set no kernel", cudaFuncSetAttribute((const void*)&not_a_kernel, shared, 1));
  for (int c : {0, 1, 2, 3, 4, -1}) {
    char line[32];
    std::snprintf(line, sizeof line, "cache %d", c);
    CALL(line, cudaFuncSetCacheConfig(nothing, static_cast<cudaFuncCache>(c)));
    std::snprintf(line, sizeof line, "device cache %d", c);
    CALL(line, cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(c)));
    cudaFuncCache got = static_cast<cudaFuncCache>(77);
    std::snprintf(line, sizeof line, "device cache is %d", c);
    CALL(line, cudaDeviceGetCacheConfig(&got), int(got));
  }
  CALL("cache null", cudaFuncSetCacheConfig((const void*)nullptr, cudaFuncCachePreferNone));
  occupancy("bounded", bounded);
  occupancy("nothing", nothing);
  int blocks = 0, threads = 0;
  CALL("occupancy null", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)nullptr, 32, 0));
  CALL("occupancy null out", cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, nothing, 32, 0));
  CALL("occupancy flags 2", cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, nothing, 32, 0, 2));
  CALL("occupancy flags 1", cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, nothing, 32, 0, 1));
  CALL("best", cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, nothing, 0, 0), threads);
  CALL("best bounded", cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, bounded, 0, 0), threads);
  CALL("best limit 100", cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, nothing, 0, 100), threads);
  CALL("best limit 5000", cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, nothing, 0, 5000), threads);
  std::size_t bytes = 77;
  CALL("available", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 1, 32), bytes > 48000);
  CALL("available 0 blocks", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 0, 32));
  CALL("available 2000 threads", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 1, 2000));
  CALL("available many", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 1000, 32));
  return 0;
}
