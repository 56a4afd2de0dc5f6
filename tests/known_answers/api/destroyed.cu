// Use of destroyed, null and foreign handles. CUDA does not promise an error: each case has its own process.
#include "calls.h"

using namespace calls;

static Subject subject;

template <int kCount>
static void each(const Call (&table)[kCount]) {
  for (const Call& call : table) {
    if (std::strncmp(call.name, "MemPool", 7) != 0 && std::strncmp(call.name, "Graph", 5) != 0 &&
        std::strncmp(call.name, "Event", 5) != 0 && std::strncmp(call.name, "Stream", 6) != 0 &&
        std::strncmp(call.name, "Device", 6) != 0 && std::strncmp(call.name, "Malloc", 6) != 0 &&
        std::strncmp(call.name, "Memset", 6) != 0 && std::strncmp(call.name, "Launch", 6) != 0) {
      continue;
    }
    const cudaError_t result = call.make(subject);
    std::printf("%s: %s last %s\n", cases::Name(call.name, cases::current).text, cases::word(result), cases::word(cudaGetLastError()));
  }
}

static void null_event() {
  prepare(subject);
  subject.event = nullptr;
  each(device_calls);
  each(stream_calls);
  SAY("destroy", cudaEventDestroy(nullptr));
  float t;
  SAY("elapsed 2", cudaEventElapsedTime(&t, subject.later, nullptr));
  SAY("elapsed null", cudaEventElapsedTime(nullptr, subject.later, subject.later));
  SAY("create null", cudaEventCreate(nullptr));
}

static void null_graph() {
  prepare(subject);
  subject.graph = nullptr;
  subject.node = nullptr;
  subject.exec = nullptr;
  each(device_calls);
  each(stream_calls);
  SAY("destroy", cudaGraphDestroy(nullptr));
  SAY("destroy exec", cudaGraphExecDestroy(nullptr));
  SAY("create null", cudaGraphCreate(nullptr, 0));
  cudaGraph_t g;
  SAY("create flags", cudaGraphCreate(&g, 1));
}

static void null_pool() {
  prepare(subject);
  subject.pool = nullptr;
  each(device_calls);
  each(stream_calls);
  SAY("destroy", cudaMemPoolDestroy(nullptr));
}

static void destroyed_stream() {
  prepare(subject);
  cudaStreamSynchronize(subject.stream);
  SAY("destroy", cudaStreamDestroy(subject.stream));
  unsigned flags;
  SAY("flags", cudaStreamGetFlags(subject.stream, &flags));
  SAY("query", cudaStreamQuery(subject.stream));
  SAY("synchronize", cudaStreamSynchronize(subject.stream));
  SAY("fill", cudaMemsetAsync(subject.memory, 0, 64, subject.stream));
  SAY("record", cudaEventRecord(subject.event, subject.stream));
  kernel<<<1, 1, 0, subject.stream>>>(0);
  SAY("launch", cudaGetLastError());
  SAY("begin", cudaStreamBeginCapture(subject.stream, cudaStreamCaptureModeRelaxed));
  SAY("destroy again", cudaStreamDestroy(subject.stream));
}

static void destroyed_event() {
  prepare(subject);
  SAY("destroy", cudaEventDestroy(subject.event));
  SAY("query", cudaEventQuery(subject.event));
  SAY("synchronize", cudaEventSynchronize(subject.event));
  SAY("wait", cudaStreamWaitEvent(subject.stream, subject.event, 0));
  SAY("record", cudaEventRecord(subject.event, subject.stream));
  SAY("destroy again", cudaEventDestroy(subject.event));
}

static void destroyed_graph() {
  prepare(subject);
  SAY("destroy", cudaGraphDestroy(subject.graph));
  std::size_t n = 77;
  SAY("nodes", cudaGraphGetNodes(subject.graph, nullptr, &n));
  SAY("launch", cudaGraphLaunch(subject.exec, subject.stream));
  SAY("sync", cudaStreamSynchronize(subject.stream));
  SAY("destroy again", cudaGraphDestroy(subject.graph));
}

static void destroyed_exec() {
  prepare(subject);
  SAY("destroy", cudaGraphExecDestroy(subject.exec));
  SAY("launch", cudaGraphLaunch(subject.exec, subject.stream));
  SAY("destroy again", cudaGraphExecDestroy(subject.exec));
}

static void destroyed_pool() {
  prepare(subject);
  SAY("destroy", cudaMemPoolDestroy(subject.pool));
  void* p;
  SAY("malloc", cudaMallocFromPoolAsync(&p, 64, subject.pool, subject.stream));
  SAY("trim", cudaMemPoolTrimTo(subject.pool, 0));
  SAY("destroy again", cudaMemPoolDestroy(subject.pool));
}

static void odd_stream() {
  prepare(subject);
  SAY("query", cudaStreamQuery((cudaStream_t)0x3));
  SAY("flags of legacy", cudaStreamQuery(cudaStreamLegacy));
  SAY("destroy legacy", cudaStreamDestroy(cudaStreamLegacy));
}
static void destroy_per_thread() {
  prepare(subject);
  SAY("destroy", cudaStreamDestroy(cudaStreamPerThread));
  SAY("query", cudaStreamQuery(cudaStreamPerThread));
}
static void destroy_null_stream() {
  SAY("destroy", cudaStreamDestroy(nullptr));
  SAY("create null", cudaStreamCreate(nullptr));
}

int main() {
  const cases::Case all[] = {
      {"null event", null_event},           {"null graph", null_graph},           {"null pool", null_pool},
      {"destroyed stream", destroyed_stream}, {"destroyed event", destroyed_event}, {"destroyed graph", destroyed_graph},
      {"destroyed exec", destroyed_exec},   {"destroyed pool", destroyed_pool},   {"odd stream", odd_stream},
      {"per thread", destroy_per_thread},   {"null stream", destroy_null_stream},
  };
  cases::run_all(all, sizeof all / sizeof *all, 12);
  return 0;
}
