// Streams and events: flags, priorities, queries, order of callbacks, waits, elapsed times, order of the default stream.
#include "cases.h"

#include <thread>

static void creation() {
  cudaStream_t s;
  for (unsigned flags : {0u, 1u, 2u, 3u, 4u, 8u, 256u}) {
    char name[32];
    std::snprintf(name, sizeof name, "create flags %u", flags);
    unsigned got = 77;
    const cudaError_t e = cudaStreamCreateWithFlags(&s, flags);
    CALL(name, e);
    if (e != cudaSuccess) continue;
    std::snprintf(name, sizeof name, "flags %u", flags);
    CALL(name, cudaStreamGetFlags(s, &got), got);
    cudaStreamDestroy(s);
  }
  int least = 77, greatest = 77;
  CALL("range", cudaDeviceGetStreamPriorityRange(&least, &greatest), least);
  CALL("range null least", cudaDeviceGetStreamPriorityRange(nullptr, &greatest));
  CALL("range null both", cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  for (int priority : {-100, -5, -2, -1, 0, 1, 2, 100}) {
    char name[32];
    std::snprintf(name, sizeof name, "priority %d", priority);
    int got = 77;
    const cudaError_t e = cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, priority);
    if (e != cudaSuccess) {
      CALL(name, e);
      continue;
    }
    cudaStreamGetPriority(s, &got);
    CALL(name, e, priority < greatest ? got == greatest : priority > least ? got == least : got == priority);
    cudaStreamDestroy(s);
  }
  CALL("priority bad flags", cudaStreamCreateWithPriority(&s, 2, 0));
  unsigned flags = 77;
  int priority = 77;
  unsigned long long id = 0, id2 = 0;
  CALL("null flags", cudaStreamGetFlags(0, &flags), flags);
  CALL("legacy flags", cudaStreamGetFlags(cudaStreamLegacy, &flags), flags);
  CALL("per thread flags", cudaStreamGetFlags(cudaStreamPerThread, &flags), flags);
  CALL("null priority", cudaStreamGetPriority(0, &priority), priority);
  CALL("per thread priority", cudaStreamGetPriority(cudaStreamPerThread, &priority), priority);
  CALL("null id", cudaStreamGetId(0, &id));
  CALL("legacy id", cudaStreamGetId(cudaStreamLegacy, &id2), id == id2);
  CALL("per thread id", cudaStreamGetId(cudaStreamPerThread, &id2), id == id2);
  CALL("flags null out", cudaStreamGetFlags(0, nullptr));
  CALL("priority null out", cudaStreamGetPriority(0, nullptr));
  CALL("id null out", cudaStreamGetId(0, nullptr));
  CALL("per thread query", cudaStreamQuery(cudaStreamPerThread));
  CALL("attach null", cudaStreamAttachMemAsync(0, (char*)nullptr));
  char* managed;
  cudaMallocManaged(&managed, 64);
  for (unsigned f : {0u, 1u, 2u, 3u, 4u, 8u}) {
    char name[32];
    std::snprintf(name, sizeof name, "attach flags %u", f);
    cudaStreamCreate(&s);
    CALL(name, cudaStreamAttachMemAsync(s, managed, 0, f));
    std::snprintf(name, sizeof name, "attach length %u", f);
    CALL(name, cudaStreamAttachMemAsync(s, managed, 32, f));
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
  CALL("attach single null stream", cudaStreamAttachMemAsync(0, managed, 0, cudaMemAttachSingle));
  cudaFree(managed);
}

__global__ void spin(volatile int* go) {
  while (*go == 0) {
#if defined(SIMT_COMPAT_VERSION)
    __nanosleep(1000);
#endif
  }
}

static void events() {
  cudaEvent_t e, a, b;
  for (unsigned flags : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 16u}) {
    char name[32];
    std::snprintf(name, sizeof name, "event flags %u", flags);
    CALL(name, cudaEventCreateWithFlags(&e, flags));
  }
  float t = -1;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  CALL("query unrecorded", cudaEventQuery(a));
  CALL("sync unrecorded", cudaEventSynchronize(a));
  CALL("wait unrecorded", cudaStreamWaitEvent(0, a, 0));
  CALL("wait flags", cudaStreamWaitEvent(0, a, 2));
  CALL("elapsed unrecorded", cudaEventElapsedTime(&t, a, b));
  CALL("record", cudaEventRecord(a));
  CALL("elapsed half", cudaEventElapsedTime(&t, a, b));
  CALL("elapsed other half", cudaEventElapsedTime(&t, b, a));
  CALL("record b", cudaEventRecord(b));
  cudaDeviceSynchronize();
  CALL("elapsed", cudaEventElapsedTime(&t, a, b), t >= 0);
  CALL("elapsed same", cudaEventElapsedTime(&t, a, a), t);
  CALL("elapsed backwards", cudaEventElapsedTime(&t, b, a), t <= 0);
  CALL("elapsed null", cudaEventElapsedTime(nullptr, a, b));
  CALL("record flags", cudaEventRecordWithFlags(a, 0, 2));
  cudaEvent_t untimed;
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaEventRecord(untimed);
  cudaDeviceSynchronize();
  CALL("elapsed untimed", cudaEventElapsedTime(&t, untimed, b));
  CALL("elapsed untimed 2", cudaEventElapsedTime(&t, b, untimed));
  int *go, *seen;
  cudaHostAlloc(&go, 4, cudaHostAllocMapped);
  cudaHostAlloc(&seen, 4, cudaHostAllocMapped);
  cudaStream_t s, other;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  *go = 0;
  spin<<<1, 1, 0, s>>>(go);
  CALL("spin", cudaGetLastError());
  CALL("record busy", cudaEventRecord(a, s));
  CALL("query busy", cudaEventQuery(a));
  CALL("query busy last", cudaPeekAtLastError());
  CALL("stream query busy", cudaStreamQuery(s));
  CALL("other query", cudaStreamQuery(other));
  CALL("elapsed busy", cudaEventElapsedTime(&t, b, a));
  CALL("elapsed busy same", cudaEventElapsedTime(&t, a, a));
  CALL("wait in other", cudaStreamWaitEvent(other, a, 0));
  CALL("other query waits", cudaStreamQuery(other));
  CALL("null query apart", cudaStreamQuery(0));
  CALL("destroy pending", cudaEventDestroy(a));
  CALL("destroy busy stream", cudaStreamDestroy(s));
  *(volatile int*)go = 1;
  CALL("sync other", cudaStreamSynchronize(other));
  CALL("sync", cudaDeviceSynchronize());
  cudaStreamCreate(&s);
  *go = 0;
  spin<<<1, 1, 0, s>>>(go);
  CALL("null query with blocking", cudaStreamQuery(0));
  CALL("legacy query with blocking", cudaStreamQuery(cudaStreamLegacy));
  CALL("per thread query with blocking", cudaStreamQuery(cudaStreamPerThread));
  cudaEventRecord(b, 0);
  CALL("event of null behind blocking", cudaEventQuery(b));
  cudaEventRecord(b, cudaStreamPerThread);
  CALL("event of per thread", cudaEventQuery(b));
  CALL("non-blocking beside", cudaStreamQuery(other));
  *(volatile int*)go = 1;
  CALL("sync blocking", cudaDeviceSynchronize());
  CALL("after", cudaEventQuery(b));
}

__global__ void put_value(int* p, int v, int loops) {
  for (volatile int i = 0; i < loops; i++) {
  }
  *p = v;
}
__global__ void add_value(int* p, const int* q) { *p = *p * 10 + *q; }

static void order() {
  int *p, *q, host = 0;
  cudaMalloc(&p, 4);
  cudaMalloc(&q, 4);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaMemset(p, 0, 4);
  put_value<<<1, 1, 0, s>>>(q, 1, 100000);
  add_value<<<1, 1>>>(p, q);
  put_value<<<1, 1, 0, t>>>(q, 2, 100000);
  add_value<<<1, 1>>>(p, q);
  put_value<<<1, 1, 0, s>>>(q, 3, 0);
  cudaMemcpyAsync(&host, q, 4, cudaMemcpyDeviceToHost, cudaStreamLegacy);
  cudaStreamSynchronize(cudaStreamLegacy);
  CALL("legacy waits", cudaGetLastError(), host);
  cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);
  CALL("order", cudaGetLastError(), host);
  put_value<<<1, 1, 0, cudaStreamPerThread>>>(q, 5, 100000);
  add_value<<<1, 1>>>(p, q);
  cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);
  CALL("per thread is blocking", cudaGetLastError(), host);
  unsigned long long mine = 0, others = 0;
  cudaStreamGetId(cudaStreamPerThread, &mine);
  std::thread([&] { cudaStreamGetId(cudaStreamPerThread, &others); }).join();
  CALL("per thread ids differ", cudaGetLastError(), mine != others);
}

int main() {
  const cases::Case all[] = {{"creation", creation}, {"events", events}, {"order", order}};
  cases::run_all(all, 3);
  return 0;
}
