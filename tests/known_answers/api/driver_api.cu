// The driver API: results of calls before cuInit and with wrong arguments, contexts, memory, streams, events, names of errors.
// nvcc: -lcuda
#include <cuda.h>

#include "cases.h"

static void tell(const char* name, CUresult result) {
  std::printf("%s: %d\n", cases::Name(name, cases::current).text, int(result));
}
template <class T>
static void tell_value(const char* name, CUresult result, T value) {
  std::printf("%s: %d value", cases::Name(name, cases::current).text, int(result));
  answers::put_exactly(value);
  std::printf("\n");
}

#define TELL(name, call) tell(name, call)
#define TELL_VALUE(name, call, value)       \
  do {                                      \
    const CUresult result_of_call = (call); \
    tell_value(name, result_of_call, value); \
  } while (false)

static void error_names() {
  for (int code = -1; code <= 1000; code++) {
    const char *name = nullptr, *text = nullptr;
    const CUresult r = cuGetErrorName((CUresult)code, &name);
    cuGetErrorString((CUresult)code, &text);
    if (r != CUDA_SUCCESS) continue;
    char line[32];
    std::snprintf(line, sizeof line, "name %d", code);
    std::printf("%s: %s\n", cases::Name(line).text, name + (std::strncmp(name, "CUDA_", 5) == 0 ? 5 : 9));
    std::snprintf(line, sizeof line, "text %d", code);
    std::printf("%s: %s\n", cases::Name(line).text, text);
  }
  const char* name = (const char*)8;
  TELL("name unknown", cuGetErrorName((CUresult)998, &name));
  cases::say_values("name of unknown", name == nullptr);
  TELL("name null", cuGetErrorName(CUDA_SUCCESS, nullptr));
}

static void before_init() {
  int v = 77;
  CUdevice d;
  CUcontext c;
  CUdeviceptr p;
  TELL_VALUE("count", cuDeviceGetCount(&v), v);
  TELL("get", cuDeviceGet(&d, 0));
  TELL("current", cuCtxGetCurrent(&c));
  TELL("alloc", cuMemAlloc(&p, 16));
  TELL("sync", cuCtxSynchronize());
  TELL("version", cuDriverGetVersion(&v));
  TELL("init flags", cuInit(1));
  TELL("still", cuDeviceGetCount(&v));
  TELL("init", cuInit(0));
  TELL("init again", cuInit(0));
  TELL_VALUE("count after", cuDeviceGetCount(&v), v > 0);
  TELL("alloc without context", cuMemAlloc(&p, 16));
  TELL("sync without context", cuCtxSynchronize());
  TELL_VALUE("current none", cuCtxGetCurrent(&c), c == nullptr);
  TELL("device of none", cuCtxGetDevice(&d));
  CUstream s;
  CUevent e;
  TELL("stream without context", cuStreamCreate(&s, 0));
  TELL("event without context", cuEventCreate(&e, 0));
  TELL("query without context", cuStreamQuery(nullptr));
  TELL("pop without context", cuCtxPopCurrent(&c));
  TELL("free without context", cuMemFree(16));
}

static void contexts() {
  cuInit(0);
  CUdevice d = 77;
  CUcontext a = nullptr, b = nullptr, c = nullptr;
  unsigned flags = 77;
  int active = 77;
  TELL_VALUE("device 0", cuDeviceGet(&d, 0), int(d));
  TELL("device 99", cuDeviceGet(&d, 99));
  TELL("device -1", cuDeviceGet(&d, -1));
  TELL("device null", cuDeviceGet(nullptr, 0));
  cuDeviceGet(&d, 0);
  TELL_VALUE("state", cuDevicePrimaryCtxGetState(d, &flags, &active), active);
  TELL_VALUE("retain", cuDevicePrimaryCtxRetain(&a, d), a != nullptr);
  TELL_VALUE("retain again", cuDevicePrimaryCtxRetain(&b, d), a == b);
  TELL_VALUE("state retained", cuDevicePrimaryCtxGetState(d, &flags, &active), active);
  TELL_VALUE("current after retain", cuCtxGetCurrent(&c), c == nullptr);
  TELL("set", cuCtxSetCurrent(a));
  TELL_VALUE("current", cuCtxGetCurrent(&c), c == a);
  TELL("release", cuDevicePrimaryCtxRelease(d));
  TELL("release again", cuDevicePrimaryCtxRelease(d));
  TELL_VALUE("state released", cuDevicePrimaryCtxGetState(d, &flags, &active), active);
  TELL("release too often", cuDevicePrimaryCtxRelease(d));
  TELL("retain 99", cuDevicePrimaryCtxRetain(&a, 99));
  TELL("sync released", cuCtxSynchronize());
  TELL("set null", cuCtxSetCurrent(nullptr));
  TELL_VALUE("current null", cuCtxGetCurrent(&c), c == nullptr);
  cudaFree(nullptr);
  TELL_VALUE("runtime is primary", cuCtxGetCurrent(&c), c != nullptr);
  TELL_VALUE("state of runtime", cuDevicePrimaryCtxGetState(d, &flags, &active), active);
  cuDevicePrimaryCtxRetain(&a, d);
  cases::say_values("same as runtime", a == c);
  TELL("push", cuCtxPushCurrent(a));
  TELL_VALUE("pop", cuCtxPopCurrent(&c), c == a);
  TELL_VALUE("pop 2", cuCtxPopCurrent(&c), c == a);
  TELL("pop 3", cuCtxPopCurrent(&c));
  TELL("push null", cuCtxPushCurrent(nullptr));
  TELL("destroy null", cuCtxDestroy(nullptr));
  TELL_VALUE("device", cuCtxGetDevice(&d), int(d));
}

static void memory() {
  cuInit(0);
  cudaFree(nullptr);
  CUdeviceptr p = 8, q = 0;
  std::size_t pitch = 0, bytes = 0;
  TELL_VALUE("alloc 0", cuMemAlloc(&p, 0), p);
  TELL("alloc null", cuMemAlloc(nullptr, 16));
  TELL("alloc huge", cuMemAlloc(&p, ~std::size_t(0)));
  TELL("alloc", cuMemAlloc(&p, 4096));
  TELL("free inner", cuMemFree(p + 16));
  TELL("free 0", cuMemFree(0));
  TELL("free odd", cuMemFree(16));
  TELL("managed flags 0", cuMemAllocManaged(&q, 64, 0));
  TELL("managed", cuMemAllocManaged(&q, 64, CU_MEM_ATTACH_GLOBAL));
  TELL("managed 0", cuMemAllocManaged(&q, 0, CU_MEM_ATTACH_GLOBAL));
  for (unsigned element : {0u, 1u, 4u, 8u, 16u, 32u}) {
    char line[32];
    std::snprintf(line, sizeof line, "pitch element %u", element);
    TELL_VALUE(line, cuMemAllocPitch(&q, &pitch, 100, 4, element), pitch);
  }
  TELL("pitch 0", cuMemAllocPitch(&q, &pitch, 0, 4, 4));
  void* host = nullptr;
  TELL("host", cuMemAllocHost(&host, 64));
  TELL("host 0", cuMemAllocHost(&host, 0));
  TELL("host null", cuMemAllocHost(nullptr, 64));
  TELL("host flags", cuMemHostAlloc(&host, 64, 8));
  cuMemHostAlloc(&host, 64, 0);
  TELL_VALUE("host device", cuMemHostGetDevicePointer(&q, host, 0), q == (CUdeviceptr)host);
  TELL("host free", cuMemFreeHost(host));
  TELL("host free again", cuMemFreeHost(host));
  TELL("host free null", cuMemFreeHost(nullptr));
  int value = 5, back = 0;
  TELL("to", cuMemcpyHtoD(p, &value, 4));
  TELL_VALUE("from", cuMemcpyDtoH(&back, p, 4), back);
  TELL("to 0", cuMemcpyHtoD(0, &value, 4));
  TELL("to null", cuMemcpyHtoD(p, nullptr, 4));
  TELL("to 0 bytes", cuMemcpyHtoD(0, nullptr, 0));
  TELL("d8", cuMemsetD8(p, 7, 4));
  TELL("d16", cuMemsetD16(p + 2, 0x102, 1));
  TELL("d16 odd", cuMemsetD16(p + 1, 0x102, 1));
  TELL("d32 odd", cuMemsetD32(p + 2, 0x102, 1));
  TELL("d32 0", cuMemsetD32(p, 1, 0));
  TELL("d32 null", cuMemsetD32(0, 1, 1));
  TELL_VALUE("filled", cuMemcpyDtoH(&back, p, 4), back);
  TELL("info", cuMemGetInfo(&bytes, &pitch));
  TELL("info null", cuMemGetInfo(nullptr, &pitch));
  TELL("free", cuMemFree(p));
  TELL("free again", cuMemFree(p));
}

static void streams() {
  cuInit(0);
  cudaFree(nullptr);
  CUstream s = nullptr;
  CUevent e = nullptr, f = nullptr;
  float t = 0;
  TELL("create flags 2", cuStreamCreate(&s, 2));
  TELL("create null", cuStreamCreate(nullptr, 0));
  TELL("create", cuStreamCreate(&s, 1));
  TELL("query", cuStreamQuery(s));
  TELL("event flags", cuEventCreate(&e, 8));
  TELL("event interprocess", cuEventCreate(&e, 4));
  TELL("event", cuEventCreate(&e, 0));
  TELL("event 2", cuEventCreate(&f, 0));
  TELL("elapsed unrecorded", cuEventElapsedTime(&t, e, f));
  TELL("record", cuEventRecord(e, s));
  TELL("wait", cuStreamWaitEvent(s, e, 0));
  TELL("wait flags", cuStreamWaitEvent(s, e, 2));
  TELL("wait null", cuStreamWaitEvent(s, nullptr, 0));
  TELL("record null", cuEventRecord(nullptr, s));
  TELL("query null event", cuEventQuery(nullptr));
  TELL("destroy null event", cuEventDestroy(nullptr));
  TELL("destroy null stream", cuStreamDestroy(nullptr));
  TELL("destroy", cuStreamDestroy(s));
  char name[8] = "";
  TELL("device name short", cuDeviceGetName(name, 2, 0));
  TELL("device name 0", cuDeviceGetName(name, 0, 0));
  TELL("device name 99", cuDeviceGetName(name, 8, 99));
  int v = 77;
  TELL_VALUE("attribute", cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), v);
  TELL("attribute 0", cuDeviceGetAttribute(&v, (CUdevice_attribute)0, 0));
  TELL("attribute 1000", cuDeviceGetAttribute(&v, (CUdevice_attribute)1000, 0));
  TELL("attribute null", cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  TELL("runtime unaffected", (CUresult)cudaGetLastError());
}

static void null_functions() {
  cuInit(0);
  cudaFree(nullptr);
  CUmodule m = nullptr;
  CUfunction none = nullptr;
  TELL("module text", cuModuleLoadData(&m, "no program"));
  TELL("module empty", cuModuleLoadData(&m, ""));
  TELL("unload null", cuModuleUnload(nullptr));
  TELL("launch null", cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, nullptr));
  TELL("function of null", cuModuleGetFunction(&none, nullptr, "f"));
  TELL("module null", cuModuleLoadData(&m, nullptr));
}

int main() {
  const cases::Case all[] = {{"names", error_names}, {"before init", before_init}, {"contexts", contexts},
                             {"memory", memory},     {"streams", streams},
                             {"null functions", null_functions}};
  cases::run_all(all, 6);
  return 0;
}
