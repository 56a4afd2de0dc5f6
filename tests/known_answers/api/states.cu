// Calls from host functions and callbacks, after a fault of a kernel, and without a device. Each state has its own process.
#include "calls.h"

using namespace calls;

static Subject subject;

__global__ void fault(int* p) { *p = 1; }

template <int kCount>
static void each(const Call (&table)[kCount], bool waiting) {
  for (const Call& call : table) {
    const bool waits = std::strstr(call.name, "Synchronize") != nullptr;
    if (waits != waiting) continue;
    const cudaError_t result = call.make(subject);
    const cudaError_t peek = cudaPeekAtLastError();
    std::printf("%s: %s peek %s", cases::Name(call.name, cases::current).text, cases::word(result), cases::word(peek));
    std::printf(" last %s", cases::word(cudaGetLastError()));
    std::printf(" again %s\n", cases::word(cudaGetLastError()));
  }
}

static void both_tables(void*) {
  each(device_calls, false);
  each(stream_calls, false);
}

static void waiting_calls(void*) {
  each(device_calls, true);
  each(stream_calls, true);
}

static void callback(cudaStream_t, cudaError_t status, void*) {
  cases::say_values("status", cases::word(status));
  both_tables(nullptr);
}

static void host_function() {
  prepare(subject);
  const cudaError_t launched = cudaLaunchHostFunc(subject.stream, both_tables, nullptr);
  SAY("sync", cudaStreamSynchronize(subject.stream));
  SAY("launch", launched);
}

static void host_function_waits() {
  prepare(subject);
  const cudaError_t launched = cudaLaunchHostFunc(0, waiting_calls, nullptr);
  SAY("sync", cudaDeviceSynchronize());
  SAY("launch", launched);
}

static void stream_callback() {
  prepare(subject);
  const cudaError_t added = cudaStreamAddCallback(subject.stream, callback, nullptr, 0);
  SAY("sync first", cudaStreamSynchronize(subject.stream));
  SAY("add", added);
  SAY("add with flags", cudaStreamAddCallback(subject.stream, callback, nullptr, 1));
  SAY("add null", cudaStreamAddCallback(subject.stream, nullptr, nullptr, 0));
  SAY("sync", cudaStreamSynchronize(subject.stream));
  SAY("host null", cudaLaunchHostFunc(subject.stream, nullptr, nullptr));
}

static void after_fault() {
  prepare(subject);
  fault<<<1, 1, 0, subject.stream>>>((int*)16);
  SAY("launch", cudaPeekAtLastError());
  SAY("sync", cudaStreamSynchronize(subject.stream));
  waiting_calls(nullptr);
  both_tables(nullptr);
  SAY("free", cudaFree(subject.memory));
  SAY("free host", cudaFreeHost(subject.pinned));
  SAY("unregister", cudaHostUnregister(registered));
  SAY("destroy event", cudaEventDestroy(subject.event));
  SAY("destroy graph", cudaGraphDestroy(subject.graph));
  SAY("destroy exec", cudaGraphExecDestroy(subject.exec));
  SAY("destroy pool", cudaMemPoolDestroy(subject.pool));
  SAY("destroy stream", cudaStreamDestroy(subject.stream));
  fault<<<1, 1>>>(nullptr);
  SAY("launch again", cudaGetLastError());
}

static void after_fault_and_reset() {
  prepare(subject);
  fault<<<1, 1>>>((int*)16);
  SAY("sync", cudaDeviceSynchronize());
  SAY("reset", cudaDeviceReset());
  SAY("sync after reset", cudaDeviceSynchronize());
  void* p = nullptr;
  SAY("malloc after reset", cudaMalloc(&p, 64));
  kernel<<<1, 1>>>(0);
  SAY("launch after reset", cudaGetLastError());
  SAY("end", cudaDeviceSynchronize());
}

// The callback prints nothing, because the process may end before the thread of callbacks runs it. A host function is not called.
static void told(cudaStream_t, cudaError_t, void*) {}
static void not_called(void*) { cases::say_values("host function called"); }

static void queued_behind_fault() {
  prepare(subject);
  fault<<<1, 1, 0, subject.stream>>>((int*)16);
  cudaStreamAddCallback(subject.stream, told, nullptr, 0);
  cudaLaunchHostFunc(subject.stream, not_called, nullptr);
  SAY("sync", cudaStreamSynchronize(subject.stream));
}

static void without_device() {
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  setenv("SIMT_DEVICE_COUNT", "0", 1);
  int count = 77;
  SAY("count", cudaGetDeviceCount(&count), count);
  both_tables(nullptr);
  waiting_calls(nullptr);
  kernel<<<1, 1>>>(0);
  SAY("launch", cudaGetLastError());
}

int main() {
  const cases::Case all[] = {
      {"host function", host_function}, {"host function waits", host_function_waits}, {"callback", stream_callback},
      {"fault", after_fault},           {"fault and reset", after_fault_and_reset},   {"behind fault", queued_behind_fault},
      {"no device", without_device},
  };
  cases::run_all(all, sizeof all / sizeof *all);
  return 0;
}
