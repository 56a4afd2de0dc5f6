// Managed memory: prefetches, advice, attributes of ranges, values after access by both sides.
#include "cases.h"

__global__ void add(int* p) { *p += 1; }

#if CUDART_VERSION >= 13000
static cudaMemLocation place(int device) {
  cudaMemLocation l{};
  l.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  l.id = device == cudaCpuDeviceId ? 0 : device;
  return l;
}
static cudaError_t prefetch(const void* p, std::size_t n, int device) { return cudaMemPrefetchAsync(p, n, place(device), 0, 0); }
static cudaError_t advise(const void* p, std::size_t n, int advice, int device) {
  return cudaMemAdvise(p, n, (cudaMemoryAdvise)advice, place(device));
}
#else
static cudaError_t prefetch(const void* p, std::size_t n, int device) { return cudaMemPrefetchAsync(p, n, device, 0); }
static cudaError_t advise(const void* p, std::size_t n, int advice, int device) {
  return cudaMemAdvise(p, n, (cudaMemoryAdvise)advice, device);
}
#endif

static void calls() {
  char *managed, *device, *pinned;
  static char host[4096];
  cudaMallocManaged(&managed, 1 << 20);
  cudaMalloc(&device, 4096);
  cudaMallocHost(&pinned, 4096);
  CALL("prefetch", prefetch(managed, 1 << 20, 0));
  CALL("prefetch host", prefetch(managed, 1 << 20, cudaCpuDeviceId));
  CALL("prefetch 0 bytes", prefetch(managed, 0, 0));
  CALL("prefetch inner", prefetch(managed + 100, 100, 0));
  CALL("prefetch beyond", prefetch(managed, std::size_t(1) << 40, 0));
  CALL("prefetch null", prefetch(nullptr, 16, 0));
  CALL("prefetch device memory", prefetch(device, 4096, 0));
  CALL("prefetch pinned", prefetch(pinned, 4096, 0));
  CALL("prefetch 99", prefetch(managed, 4096, 99));
  for (int advice = 0; advice <= 7; advice++) {
    char line[32];
    std::snprintf(line, sizeof line, "advice %d", advice);
    CALL(line, advise(managed, 1 << 20, advice, 0));
    std::snprintf(line, sizeof line, "advice host %d", advice);
    CALL(line, advise(managed, 1 << 20, advice, cudaCpuDeviceId));
    std::snprintf(line, sizeof line, "advice of device memory %d", advice);
    CALL(line, advise(device, 4096, advice, 0));
  }
  CALL("advice 0 bytes", advise(managed, 0, 1, 0));
  CALL("advice 99", advise(managed, 4096, 3, 99));
  CALL("advice null", advise(nullptr, 4096, 1, 0));
  CALL("sync", cudaDeviceSynchronize());
  int* p = (int*)managed;
  *p = 4;
  add<<<1, 1>>>(p);
  CALL("sync kernel", cudaDeviceSynchronize(), *p);
  *p += 10;
  add<<<1, 1>>>(p);
  CALL("sync kernel 2", cudaDeviceSynchronize(), *p);
  CALL("copy from managed", cudaMemcpy(host, managed, 4, cudaMemcpyDefault), *(int*)host);
  CALL("fill managed", cudaMemset(managed, 1, 4), *p);
}

int main() {
  const cases::Case all[] = {{"calls", calls}};
  cases::run_all(all, 1);
  return 0;
}
