// Devices, limits, flags, peer access, primary context, reset and IPC handles within one process.
#include "cases.h"

__device__ int variable = 5;
__global__ void put_variable(int v) { variable = v; }
__global__ void nothing() {}

static void selection() {
  int d = 77, n = 0;
  CALL("count null", cudaGetDeviceCount(nullptr));
  CALL("get null", cudaGetDevice(nullptr));
  CALL("count", cudaGetDeviceCount(&n), n > 0);
  CALL("set n", cudaSetDevice(n));
  CALL("set -1", cudaSetDevice(-1));
  CALL("get", cudaGetDevice(&d), d);
  CALL("set 0", cudaSetDevice(0));
  cudaDeviceProp p{};
  CALL("properties null", cudaGetDeviceProperties(nullptr, 0));
  CALL("properties n", cudaGetDeviceProperties(&p, n));
  CALL("properties -1", cudaGetDeviceProperties(&p, -1));
  CALL("properties", cudaGetDeviceProperties(&p, 0), p.warpSize, p.maxThreadsPerBlock, p.maxThreadsDim[0], p.maxThreadsDim[1],
       p.maxThreadsDim[2], p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
  CALL("properties 2", cudaSuccess, p.totalConstMem, p.memPitch, p.textureAlignment, p.texturePitchAlignment,
       p.surfaceAlignment, p.sharedMemPerBlock, p.regsPerBlock, p.unifiedAddressing, p.managedMemory, p.canMapHostMemory);
  CALL("properties 3", cudaSuccess, p.concurrentKernels, p.cooperativeLaunch, p.streamPrioritiesSupported,
       p.globalL1CacheSupported, p.localL1CacheSupported, p.memoryPoolsSupported, p.computePreemptionSupported, p.isMultiGpuBoard);
  int v = 77;
  CALL("attribute null", cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  CALL("attribute device n", cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, n));
  for (int a : {-1, 0, 44, 92, 93, 94, 102, 107, 110, 122, 200, 1000}) {
    char line[32];
    std::snprintf(line, sizeof line, "attribute %d", a);
    CALL(line, cudaDeviceGetAttribute(&v, (cudaDeviceAttr)a, 0));
  }
  cudaDeviceProp wanted{};
  CALL("choose", cudaChooseDevice(&d, &wanted), d);
  CALL("choose null", cudaChooseDevice(nullptr, &wanted));
  CALL("choose null 2", cudaChooseDevice(&d, nullptr));
  int list[] = {0, 99};
  CALL("valid 99", cudaSetValidDevices(list, 2));
  CALL("valid null", cudaSetValidDevices(nullptr, 1));
  CALL("valid 0", cudaSetValidDevices(list, 0));
  CALL("valid -1", cudaSetValidDevices(list, -1));
  CALL("init 99", cudaInitDevice(99, 0, 0));
  CALL("init flags", cudaInitDevice(0, 1 << 20, cudaInitDeviceFlagsAreValid));
  CALL("init", cudaInitDevice(0, 0, 0));
}

static void flags_and_limits() {
  unsigned f = 77;
  for (unsigned flags : {0u, 1u, 2u, 4u, 8u, 16u, 3u, 7u, 9u, 32u, 64u, 128u, 256u}) {
    char line[32];
    std::snprintf(line, sizeof line, "flags %u", flags);
    CALL(line, cudaSetDeviceFlags(flags));
    std::snprintf(line, sizeof line, "flags are %u", flags);
    CALL(line, cudaGetDeviceFlags(&f), f);
  }
  CALL("flags null", cudaGetDeviceFlags(nullptr));
  std::size_t v = 77;
  for (int l = 0; l <= 8; l++) {
    char line[32];
    std::snprintf(line, sizeof line, "limit %d", l);
    v = 77;
    const cudaError_t e = cudaDeviceGetLimit(&v, (cudaLimit)l);
    if (l == 0 || l == 3 || l == 4 || l == 2 || l == 1) {
      CALL(line, e, v);
    } else {
      CALL(line, e);
    }
  }
  CALL("limit null", cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  for (std::size_t bytes : {0, 1, 16, 1000, 1024, 4000, 1 << 14, 1 << 30}) {
    char line[48];
    std::snprintf(line, sizeof line, "set stack %zu", bytes);
    CALL(line, cudaDeviceSetLimit(cudaLimitStackSize, bytes));
    v = 77;
    std::snprintf(line, sizeof line, "stack %zu", bytes);
    CALL(line, cudaDeviceGetLimit(&v, cudaLimitStackSize), v);
  }
  cudaDeviceSetLimit(cudaLimitStackSize, 1024);
  for (std::size_t bytes : {0, 1, 1000000, 8 << 20, (8 << 20) + 5, 64 << 20}) {
    char line[48];
    std::snprintf(line, sizeof line, "set heap %zu", bytes);
    CALL(line, cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes));
    CALL((std::snprintf(line, sizeof line, "heap %zu", bytes), line), cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize), v);
    std::snprintf(line, sizeof line, "set fifo %zu", bytes);
    CALL(line, cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes));
    CALL((std::snprintf(line, sizeof line, "fifo %zu", bytes), line), cudaDeviceGetLimit(&v, cudaLimitPrintfFifoSize), v);
  }
  CALL("set limit 99", cudaDeviceSetLimit((cudaLimit)99, 1));
  nothing<<<1, 1>>>();
  CALL("set heap after launch", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  CALL("set stack after launch", cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  CALL("end", cudaDeviceSynchronize());
}

static void peers() {
  int v = 77;
  CALL("can itself", cudaDeviceCanAccessPeer(&v, 0, 0), v);
  CALL("can 99", cudaDeviceCanAccessPeer(&v, 0, 99));
  CALL("can null", cudaDeviceCanAccessPeer(nullptr, 0, 0));
  CALL("enable itself", cudaDeviceEnablePeerAccess(0, 0));
  CALL("enable 99", cudaDeviceEnablePeerAccess(99, 0));
  CALL("enable flags", cudaDeviceEnablePeerAccess(0, 1));
  CALL("disable itself", cudaDeviceDisablePeerAccess(0));
  CALL("disable 99", cudaDeviceDisablePeerAccess(99));
  CALL("attribute itself", cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 0));
  CALL("attribute 99", cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 99));
  CALL("attribute number", cudaDeviceGetP2PAttribute(&v, (cudaDeviceP2PAttr)99, 0, 0));
  char id[32] = "";
  CALL("bus id", cudaDeviceGetPCIBusId(id, 32, 0), std::strlen(id), int(id[4]), int(id[7]), int(id[10]), id[11] - '0');
  CALL("bus id short", cudaDeviceGetPCIBusId(id, 5, 0));
  CALL("bus id 13", cudaDeviceGetPCIBusId(id, 13, 0), std::strlen(id));
  CALL("bus id 12", cudaDeviceGetPCIBusId(id, 12, 0), std::strlen(id));
  CALL("bus id null", cudaDeviceGetPCIBusId(nullptr, 32, 0));
  CALL("bus id 99", cudaDeviceGetPCIBusId(id, 32, 99));
  cudaDeviceGetPCIBusId(id, 32, 0);
  CALL("by bus id", cudaDeviceGetByPCIBusId(&v, id), v);
  CALL("by short bus id", cudaDeviceGetByPCIBusId(&v, id + 5), v);
  CALL("by odd bus id", cudaDeviceGetByPCIBusId(&v, "zz"));
  CALL("by null", cudaDeviceGetByPCIBusId(&v, nullptr));
  CALL("by absent bus id", cudaDeviceGetByPCIBusId(&v, "00ff:ff:1f.0"));
}

static void reset() {
  char *p, *host;
  cudaStream_t s;
  cudaEvent_t e;
  int v = 0;
  cudaMalloc(&p, 64);
  cudaMallocHost(&host, 64);
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  put_variable<<<1, 1>>>(9);
  cudaMemcpyFromSymbol(&v, variable, 4);
  CALL("variable", cudaGetLastError(), v);
  cudaSetDevice(99);
  CALL("reset", cudaDeviceReset());
  CALL("last error after reset", cudaGetLastError());
  CALL("variable after reset", cudaMemcpyFromSymbol(&v, variable, 4), v);
  CALL("free after reset", cudaFree(p));
  CALL("malloc after reset", cudaMalloc(&p, 64));
  CALL("reset again", cudaDeviceReset());
  CALL("reset again 2", cudaDeviceReset());
}

static void handles() {
  cudaIpcMemHandle_t m{};
  cudaIpcEventHandle_t h{};
  char *p, *host, *managed, *async, *opened;
  cudaMalloc(&p, 4096);
  cudaMallocHost(&host, 64);
  cudaMallocManaged(&managed, 64);
  cudaMallocAsync(&async, 64, 0);
  CALL("ipc open zero", cudaIpcOpenMemHandle((void**)&opened, m, cudaIpcMemLazyEnablePeerAccess));
  CALL("ipc get", cudaIpcGetMemHandle(&m, p));
  CALL("ipc get inner", cudaIpcGetMemHandle(&m, p + 64));
  CALL("ipc get null", cudaIpcGetMemHandle(&m, nullptr));
  CALL("ipc get null out", cudaIpcGetMemHandle(nullptr, p));
  CALL("ipc get host", cudaIpcGetMemHandle(&m, host));
  CALL("ipc get managed", cudaIpcGetMemHandle(&m, managed));
  CALL("ipc get async", cudaIpcGetMemHandle(&m, async));
  cudaIpcGetMemHandle(&m, p);
  CALL("ipc open own", cudaIpcOpenMemHandle((void**)&opened, m, cudaIpcMemLazyEnablePeerAccess));
  CALL("ipc open flags", cudaIpcOpenMemHandle((void**)&opened, m, 0));
  CALL("ipc open null", cudaIpcOpenMemHandle(nullptr, m, cudaIpcMemLazyEnablePeerAccess));
  CALL("ipc close own", cudaIpcCloseMemHandle(p));
  CALL("ipc close null", cudaIpcCloseMemHandle(nullptr));
  cudaEvent_t plain, shared, other;
  cudaEventCreateWithFlags(&plain, cudaEventDisableTiming);
  CALL("event shared", cudaEventCreateWithFlags(&shared, cudaEventDisableTiming | cudaEventInterprocess));
  CALL("event handle of plain", cudaIpcGetEventHandle(&h, plain));
  CALL("event open zero", cudaIpcOpenEventHandle(&other, h));
  CALL("event handle", cudaIpcGetEventHandle(&h, shared));
  CALL("event handle null", cudaIpcGetEventHandle(&h, nullptr));
  CALL("event handle null out", cudaIpcGetEventHandle(nullptr, shared));
  CALL("event open own", cudaIpcOpenEventHandle(&other, h));
  CALL("event open null", cudaIpcOpenEventHandle(nullptr, h));
  CALL("handles end", cudaDeviceSynchronize());
}

int main() {
  const cases::Case all[] = {
      {"selection", selection}, {"flags and limits", flags_and_limits}, {"peers", peers}, {"reset", reset}, {"handles", handles}};
  cases::run_all(all, 5);
  return 0;
}
