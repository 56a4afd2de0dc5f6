// The first CUDA call of a process: its result, each in a process of its own.
#include "cases.h"

__device__ int variable;
__global__ void kernel() {}

#define FIRST(name, declarations, ...) \
  { name, [] { declarations; SAY("result", __VA_ARGS__); int d = -1; SAY("device", cudaGetDevice(&d), d); } }

int main() {
  const cases::Case all[] = {
      FIRST("free null", , cudaFree(nullptr)),
      FIRST("free odd", , cudaFree((void*)16)),
      FIRST("free host odd", , cudaFreeHost((void*)16)),
      FIRST("synchronize", , cudaDeviceSynchronize()),
      FIRST("reset", , cudaDeviceReset()),
      FIRST("stream query", , cudaStreamQuery(0)),
      FIRST("per thread query", , cudaStreamQuery(cudaStreamPerThread)),
      FIRST("stream destroy null", , cudaStreamDestroy(nullptr)),
      FIRST("event destroy null", , cudaEventDestroy(nullptr)),
      FIRST("event query null", , cudaEventQuery(nullptr)),
      FIRST("launch", (kernel<<<1, 1>>>()), cudaGetLastError()),
      FIRST("launch 0", (kernel<<<0, 1>>>()), cudaGetLastError()),
      FIRST("launch null", , cudaLaunchKernel((const void*)nullptr, 1, 1, nullptr, 0, 0)),
      FIRST("set device 99", , cudaSetDevice(99)),
      FIRST("set device -1", , cudaSetDevice(-1)),
      FIRST("set flags", , cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync)),
      FIRST("peek", , cudaPeekAtLastError()),
      FIRST("pointer", cudaPointerAttributes a, cudaPointerGetAttributes(&a, &a), int(a.type), a.device),
      FIRST("host flags", unsigned f, cudaHostGetFlags(&f, &f)),
      FIRST("unregister", int x, cudaHostUnregister(&x)),
      FIRST("is capturing", cudaStreamCaptureStatus s, cudaStreamIsCapturing(0, &s), int(s)),
      FIRST("end capture", cudaGraph_t g, cudaStreamEndCapture(0, &g)),
      FIRST("begin capture null", , cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal)),
      FIRST("symbol", void* p, cudaGetSymbolAddress(&p, variable)),
      FIRST("flags", unsigned f = 77, cudaGetDeviceFlags(&f), f),
      FIRST("properties 99", cudaDeviceProp p, cudaGetDeviceProperties(&p, 99)),
      FIRST("malloc async", void* p, cudaMallocAsync(&p, 64, 0)),
      FIRST("free async odd", , cudaFreeAsync((void*)16, 0)),
      FIRST("ipc close", , cudaIpcCloseMemHandle((void*)16)),
      FIRST("graph destroy null", , cudaGraphDestroy(nullptr)),
      FIRST("exec destroy null", , cudaGraphExecDestroy(nullptr)),
      FIRST("graph launch null", , cudaGraphLaunch(nullptr, 0)),
  };
  cases::run_all(all, sizeof all / sizeof *all, 16);
  return 0;
}
