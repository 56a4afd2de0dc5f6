// Calls of CUDA's functions in kernels: results of launches, allocations, copies, streams and queries.
// nvcc: -rdc=true -lcudadevrt
#include "cases.h"

__device__ int results[64];
__device__ int values[64];

__global__ void child(int* p, int v) { *p = v; }
__global__ void nothing() {}

__global__ void launches() {
  child<<<1, 1>>>(&values[0], 7);
  results[0] = cudaGetLastError();
  nothing<<<0, 1>>>();
  results[1] = cudaGetLastError();
  results[2] = cudaGetLastError();
  nothing<<<1, 1025>>>();
  results[3] = cudaPeekAtLastError();
  results[4] = cudaGetLastError();
  nothing<<<1, 1, 1 << 20>>>();
  results[5] = cudaGetLastError();
  cudaStream_t s;
  results[8] = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  child<<<1, 1, 0, s>>>(&values[2], 9);
  results[9] = cudaGetLastError();
  cudaEvent_t e;
  results[10] = cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  results[11] = cudaEventRecord(e, s);
  results[12] = cudaStreamWaitEvent(nullptr, e, 0);
  results[13] = cudaEventDestroy(e);
  results[14] = cudaStreamDestroy(s);
  results[15] = cudaStreamCreateWithFlags(&s, cudaStreamDefault);
  results[16] = cudaEventCreateWithFlags(&e, cudaEventDefault);
}

__global__ void memory() {
  void* p = nullptr;
  results[0] = cudaMalloc(&p, 64);
  results[1] = cudaMemsetAsync(p, 1, 64, 0);
  results[2] = cudaMemcpyAsync(values, p, 16, cudaMemcpyDeviceToDevice, 0);
  results[3] = cudaFree(p);
  results[4] = cudaFree(nullptr);
  results[5] = cudaMalloc(&p, 0);
  results[6] = p == nullptr;
  results[7] = cudaMalloc(&p, ~size_t(0));
  results[8] = cudaMemcpyAsync(values, values + 32, 16, cudaMemcpyHostToDevice, 0);
  results[9] = cudaMemcpyAsync(values, values + 32, 0, cudaMemcpyDeviceToDevice, 0);
  p = malloc(16);
  results[10] = p != nullptr;
  free(p);
  free(nullptr);
  results[11] = malloc(size_t(1) << 40) == nullptr;
  results[12] = malloc(0) == nullptr;
}

__global__ void queries() {
  int v = 77;
  results[0] = cudaGetDeviceCount(&v);
  results[1] = v > 0;
  results[2] = cudaGetDevice(&v);
  results[3] = v;
  results[4] = cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0);
  results[5] = v;
  size_t limit = 0;
  results[6] = cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  cudaFuncCache cache;
  results[7] = cudaDeviceGetCacheConfig(&cache);
  results[8] = cudaRuntimeGetVersion(&v);
  results[9] = v >= 12000;
  cudaFuncAttributes a;
  results[10] = cudaFuncGetAttributes(&a, nothing);
  results[11] = a.maxThreadsPerBlock;
  int blocks = 0;
  results[12] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 0);
  results[13] = blocks > 0;
  const char* name = cudaGetErrorName(cudaErrorInvalidValue);
  results[14] = name[4] == 'E' && name[9] == 'I';
}

static void show(const char* name, int count) {
  SAY(name, cudaDeviceSynchronize());
  int host[64];
  cudaMemcpyFromSymbol(host, results, sizeof host);
  for (int i = 0; i < count; i++) {
    char line[32];
    std::snprintf(line, sizeof line, "result %d", i);
    cases::say_values(line, host[i]);
  }
}

static void all_launches() {
  launches<<<1, 1>>>();
  show("sync", 17);
  int host[3];
  cudaMemcpyFromSymbol(host, values, sizeof host);
  cases::put_array("values of children", host, 3);
}
static void all_memory() {
  memory<<<1, 1>>>();
  show("sync", 13);
}
static void all_queries() {
  queries<<<1, 1>>>();
  show("sync", 15);
}

int main() {
  const cases::Case all[] = {{"launches", all_launches}, {"memory", all_memory}, {"queries", all_queries}};
  cases::run_all(all, 3);
  return 0;
}
