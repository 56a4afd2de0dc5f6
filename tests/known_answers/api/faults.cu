// Faults of kernels: the code of each, which later calls return it, and what the process can still do. One process for each.
#include "cases.h"

#include <cassert>

__global__ void store(int* p) { *p = 1; }
__global__ void load(int* p, int* q) { *q = *p; }
__global__ void failing_assert(int v) { assert(v == 7); }
__global__ void trap() { __trap(); }
__global__ void store_misaligned(char* p) { *reinterpret_cast<int4*>(p + 4) = make_int4(1, 2, 3, 4); }
__global__ void store_misaligned_int(char* p) { *reinterpret_cast<volatile int*>(p + 1) = 1; }
__device__ __noinline__ int deep(int n, int* p) {
  volatile int room[256];
  room[n & 255] = n;
  return n == 0 ? 0 : deep(n - 1, p) + room[(n + *p) & 255];
}
__global__ void overflow(int n, int* p) { *p = deep(n, p); }
__global__ void beyond_shared(int index) {
  __shared__ int room[32];
  volatile int* p = room;
  p[index] = 1;
}
__global__ void atomic_bad(int* p) { atomicAdd(p, 1); }
__global__ void fine(int* p) { *p = 3; }

static int* memory;

static void after(const char* when) {
  char line[64];
  std::snprintf(line, sizeof line, "%s sync", when);
  SAY(line, cudaDeviceSynchronize());
  std::snprintf(line, sizeof line, "%s sync again", when);
  SAY(line, cudaDeviceSynchronize());
  std::snprintf(line, sizeof line, "%s last", when);
  SAY(line, cudaGetLastError());
  std::snprintf(line, sizeof line, "%s peek", when);
  SAY(line, cudaPeekAtLastError());
  fine<<<1, 1>>>(memory);
  std::snprintf(line, sizeof line, "%s launch", when);
  SAY(line, cudaGetLastError());
  void* p;
  std::snprintf(line, sizeof line, "%s malloc", when);
  SAY(line, cudaMalloc(&p, 16));
  int host;
  std::snprintf(line, sizeof line, "%s copy", when);
  SAY(line, cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
  std::snprintf(line, sizeof line, "%s reset", when);
  SAY(line, cudaDeviceReset());
  std::snprintf(line, sizeof line, "%s after reset", when);
  SAY(line, cudaMalloc(&memory, 16));
  fine<<<1, 1>>>(memory);
  std::snprintf(line, sizeof line, "%s launch after reset", when);
  SAY(line, cudaDeviceSynchronize());
}

#define FAULT(name, ...) \
  { name, [] { cudaMalloc(&memory, 4096); __VA_ARGS__; SAY("launch", cudaGetLastError()); after("then"); } }

int main() {
  const cases::Case all[] = {
      FAULT("store null", (store<<<1, 1>>>(nullptr))),
      FAULT("store 16", (store<<<1, 1>>>((int*)16))),
      FAULT("load null", (load<<<1, 1>>>(nullptr, memory))),
      FAULT("store far", (store<<<1, 1>>>((int*)0x7000000000000000))),
      FAULT("store not canonical", (store<<<1, 1>>>((int*)0xf000000000000000))),
      FAULT("assert", (failing_assert<<<1, 1>>>(6))),
      FAULT("assert many", (failing_assert<<<4, 64>>>(6))),
      FAULT("assert holds", (failing_assert<<<4, 64>>>(7))),
      FAULT("trap", (trap<<<1, 1>>>())),
      FAULT("misaligned vector", (store_misaligned<<<1, 1>>>((char*)memory))),
      FAULT("misaligned int", (store_misaligned_int<<<1, 1>>>((char*)memory))),
      FAULT("stack overflow", cudaMemset(memory, 0, 64); (overflow<<<1, 1>>>(100000, memory))),
      FAULT("beyond shared", (beyond_shared<<<1, 1>>>(1 << 20))),
      FAULT("before shared", (beyond_shared<<<1, 1>>>(-(1 << 20)))),
      FAULT("atomic null", (atomic_bad<<<1, 1>>>(nullptr))),
      FAULT("fault then bad launch", (store<<<1, 1>>>(nullptr)); cudaDeviceSynchronize(); (fine<<<1, 2000>>>(memory))),
  };
  cases::run_all(all, sizeof all / sizeof *all);
  return 0;
}
