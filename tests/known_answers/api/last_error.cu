// Launches with wrong configurations: their error, what cudaGetLastError and cudaPeekAtLastError say afterwards, and which
// calls change the last error.
#include "cases.h"

#include <thread>

__global__ void nothing() {}
__global__ void store(int* p, int v) { *p = v; }
__global__ void __launch_bounds__(64) bounded(int* p) { *p = 1; }
__global__ void with_shared(int* p) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = 3;
  *p = dynamic[threadIdx.x];
}
__global__ void with_static(int* p) {
  __shared__ int room[1024];
  room[threadIdx.x] = 4;
  *p = room[threadIdx.x];
}

static void launch(const char* name, dim3 grid, dim3 block, std::size_t shared) {
  nothing<<<grid, block, shared>>>();
  const cudaError_t peek = cudaPeekAtLastError(), again = cudaPeekAtLastError();
  const cudaError_t last = cudaGetLastError(), then = cudaGetLastError();
  std::printf("%s: %s %s %s %s\n", cases::Name(name, "launch").text, cases::word(peek), cases::word(again), cases::word(last), cases::word(then));
}

static void configurations() {
  launch("1 1", 1, 1, 0);
  launch("0 1", 0, 1, 0);
  launch("1 0", 1, 0, 0);
  launch("1 y0", dim3(1, 0, 1), 1, 0);
  launch("1 block z0", 1, dim3(1, 1, 0), 0);
  launch("1024", 1, 1024, 0);
  launch("1025", 1, 1025, 0);
  launch("32 33", 1, dim3(32, 33), 0);
  launch("32 32", 1, dim3(32, 32), 0);
  launch("z 64", 1, dim3(1, 1, 64), 0);
  launch("z 65", 1, dim3(1, 1, 65), 0);
  launch("y 1024", 1, dim3(1, 1024), 0);
  launch("grid y 65535", dim3(1, 65535), 1, 0);
  launch("grid y 65536", dim3(1, 65536), 1, 0);
  launch("grid z 65535", dim3(1, 1, 65535), 1, 0);
  launch("grid z 65536", dim3(1, 1, 65536), 1, 0);
  launch("grid x 2^31", dim3(0x80000000u), 1, 0);
  launch("grid x -1", dim3(unsigned(-1)), 1, 0);
  launch("block -1", 1, dim3(unsigned(-1)), 0);
  launch("shared 48k", 1, 1, 48 << 10);
  launch("shared 48k+1", 1, 1, (48 << 10) + 1);
  launch("shared 1 GB", 1, 1, 1 << 30);
  launch("shared 4 GB", 1, 1, std::size_t(1) << 32);
  launch("shared -1", 1, 1, std::size_t(-1));
  launch("0 and too many", 0, 2000, 0);
}

static void who_sets_it() {
  int *p, host = 0;
  CALL("malloc", cudaMalloc(&p, 4));
  cudaMalloc((void**)nullptr, 4);
  CALL("success does not reset", cudaMemset(p, 0, 4));
  cudaMalloc((void**)nullptr, 4);
  cudaMemset(p, 0, 4);
  const cudaError_t peek = cudaPeekAtLastError();
  CALL("peek after success", peek);
  cudaMalloc((void**)nullptr, 4);
  cudaSetDevice(99);
  CALL("the newer error", cudaPeekAtLastError());
  cudaSetDevice(99);
  nothing<<<1, 1>>>();
  CALL("a good launch keeps it", cudaPeekAtLastError());
  nothing<<<1, 2000>>>();
  store<<<1, 1>>>(p, 5);
  CALL("bad then good launch", cudaPeekAtLastError());
  cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);
  CALL("value", cudaGetLastError(), host);
  nothing<<<1, 2000>>>();
  CALL("sync after bad launch", cudaDeviceSynchronize());
  nothing<<<1, 2000>>>();
  CALL("copy after bad launch", cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
  cudaMalloc((void**)nullptr, 4);
  cudaStreamQuery(0);
  CALL("kept by query", cudaGetLastError());
  std::thread([&] { CALL("another thread", cudaGetLastError()); cudaSetDevice(99); }).join();
  CALL("not of this thread", cudaGetLastError());
  cudaSetDevice(-7);
  std::thread([&] { CALL("another thread 2", cudaPeekAtLastError()); }).join();
  CALL("still mine", cudaGetLastError());
  cudaSetDevice(99);
  cudaGetErrorName(cudaErrorUnknown);
  CALL("names keep it", cudaGetLastError());
  int d = 0;
  cudaSetDevice(99);
  CALL("get device", cudaGetDevice(&d), d);
}

static void limits() {
  int* p;
  cudaMalloc(&p, 4);
  bounded<<<1, 65>>>(p);
  CALL("launch bounds 65", cudaGetLastError());
  bounded<<<1, 64>>>(p);
  CALL("launch bounds 64", cudaGetLastError());
  with_static<<<1, 1, 45056>>>(p);
  CALL("static + dynamic = 48k", cudaGetLastError());
  with_static<<<1, 1, 45057>>>(p);
  CALL("static + dynamic > 48k", cudaGetLastError());
  with_shared<<<1, 1, 60000>>>(p);
  CALL("dynamic 60000", cudaGetLastError());
  CALL("set 60000", cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  with_shared<<<1, 1, 60000>>>(p);
  CALL("dynamic 60000 set", cudaGetLastError());
  with_shared<<<1, 1, 60001>>>(p);
  CALL("dynamic 60001", cudaGetLastError());
  CALL("sync", cudaDeviceSynchronize());
}

static void by_address() {
  int *p, host = 0, value = 12;
  cudaMalloc(&p, 4);
  void* arguments[] = {&p, &value};
  CALL("address", cudaLaunchKernel((const void*)store, 1, 1, arguments, 0, 0));
  value = 13;
  cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);
  CALL("address value", cudaGetLastError(), host);
  CALL("address null", cudaLaunchKernel((const void*)nullptr, 1, 1, arguments, 0, 0));
  CALL("address of no kernel", cudaLaunchKernel((const void*)&host, 1, 1, arguments, 0, 0));
  CALL("address of a function", cudaLaunchKernel((const void*)by_address, 1, 1, arguments, 0, 0));
  CALL("address grid 0", cudaLaunchKernel((const void*)store, 0, 1, arguments, 0, 0));
  CALL("address threads", cudaLaunchKernel((const void*)store, 1, 1025, arguments, 0, 0));
  CALL("address shared", cudaLaunchKernel((const void*)store, 1, 1, arguments, 1 << 20, 0));
  CALL("no arguments", cudaLaunchKernel((const void*)nothing, 1, 1, nullptr, 0, 0));
  CALL("cooperative", cudaLaunchCooperativeKernel((const void*)store, 1, 1, arguments, 0, 0));
  CALL("cooperative grid 0", cudaLaunchCooperativeKernel((const void*)store, 0, 1, arguments, 0, 0));
  CALL("cooperative too large", cudaLaunchCooperativeKernel((const void*)store, 1 << 20, 1024, arguments, 0, 0));
  CALL("cooperative threads", cudaLaunchCooperativeKernel((const void*)store, 1, 1025, arguments, 0, 0));
  CALL("cooperative null", cudaLaunchCooperativeKernel((const void*)nullptr, 1, 1, arguments, 0, 0));
  CALL("sync address", cudaDeviceSynchronize());
}

int main() {
  const cases::Case all[] = {
      {"configurations", configurations}, {"who sets it", who_sets_it}, {"limits", limits}, {"by address", by_address}};
  cases::run_all(all, 4);
  return 0;
}
