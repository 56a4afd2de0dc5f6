// Captured graphs: types and edges of nodes for forks and joins, and errors of begin, end, merges and missing joins.
#include "cases.h"

#include <thread>

__global__ void kernel(int* p) { *p += 1; }
static void host_function(void*) {}

static int* memory;
static cudaStream_t a, b, c;
static cudaEvent_t e1, e2, e3;
static const cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed;

static void show(const char* name, cudaGraph_t g) {
  cudaGraphNode_t nodes[32], from[64], to[64];
  std::size_t count = 32, edges = 64;
  if (g == nullptr) {
    cases::put_values(name, "no graph");
    return;
  }
  cudaGraphGetNodes(g, nodes, &count);
#if CUDART_VERSION >= 13000
  cudaGraphEdgeData data[64];
  cudaGraphGetEdges(g, from, to, data, &edges);
#else
  cudaGraphGetEdges(g, from, to, &edges);
#endif
  std::printf("%s: types", cases::Name(name).text);
  for (std::size_t i = 0; i < count; i++) {
    cudaGraphNodeType type;
    cudaGraphNodeGetType(nodes[i], &type);
    std::printf(" %d", int(type));
  }
  std::printf(" edges");
  for (std::size_t i = 0; i < edges; i++) {
    int x = -1, y = -1;
    for (std::size_t n = 0; n < count; n++) {
      if (nodes[n] == from[i]) x = int(n);
      if (nodes[n] == to[i]) y = int(n);
    }
    std::printf(" %d-%d", x, y);
  }
  std::printf("\n");
  cudaGraphDestroy(g);
}

static void finish(const char* name, cudaStream_t s) {
  char line[64];
  cudaGraph_t g = nullptr;
  std::snprintf(line, sizeof line, "%s end", name);
  CALL(line, cudaStreamEndCapture(s, &g));
  std::snprintf(line, sizeof line, "%s graph", name);
  show(line, g);
}

static void k(cudaStream_t s) { kernel<<<1, 1, 0, s>>>(memory); }

static void shapes() {
  cudaStreamBeginCapture(a, relaxed);
  finish("nothing", a);
  cudaStreamBeginCapture(a, relaxed);
  k(a), k(a), k(a);
  finish("chain", a);
  cudaStreamBeginCapture(a, relaxed);
  k(a);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  k(b), k(a);
  cudaEventRecord(e2, b);
  cudaStreamWaitEvent(a, e2, 0);
  k(a);
  finish("diamond", a);
  cudaStreamBeginCapture(a, relaxed);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  cudaStreamWaitEvent(c, e1, 0);
  k(c), k(b);
  cudaEventRecord(e2, b);
  cudaEventRecord(e3, c);
  cudaStreamWaitEvent(a, e2, 0);
  cudaStreamWaitEvent(a, e3, 0);
  k(a);
  finish("two roots", a);
  cudaStreamBeginCapture(a, relaxed);
  k(a);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  finish("joined without work", a);
  cudaStreamBeginCapture(a, relaxed);
  k(a);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  k(b);
  finish("not joined", a);
  CALL("b afterwards", cudaStreamQuery(b));
  cudaStreamBeginCapture(a, relaxed);
  k(a);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  k(b);
  cudaEventRecord(e2, b);
  finish("recorded, not waited", a);
  cudaStreamBeginCapture(a, relaxed);
  k(a);
  cudaEventRecord(e1, a);
  k(a);
  cudaStreamWaitEvent(a, e1, 0);
  k(a);
  finish("wait for own event", a);
  cudaStreamBeginCapture(a, relaxed);
  cudaMemsetAsync(memory, 0, 4, a);
  cudaMemcpyAsync(memory + 1, memory, 4, cudaMemcpyDeviceToDevice, a);
  cudaLaunchHostFunc(a, host_function, nullptr);
  cudaEventRecordWithFlags(e3, a, cudaEventRecordExternal);
  cudaStreamWaitEvent(a, e3, cudaEventWaitExternal);
  cudaMemset2DAsync(memory, 8, 0, 4, 2, a);
  cudaMemcpy2DAsync(memory, 8, memory + 4, 8, 4, 2, cudaMemcpyDeviceToDevice, a);
  void* p = nullptr;
  cudaMallocAsync(&p, 64, a);
  cudaFreeAsync(p, a);
  cudaMemsetAsync(memory, 0, 0, a);
  cudaMemcpyAsync(memory, memory, 0, cudaMemcpyDeviceToDevice, a);
  finish("all types", a);
}

static void errors() {
  cudaGraph_t g = (cudaGraph_t)8;
  CALL("end of idle", cudaStreamEndCapture(a, &g), g == (cudaGraph_t)8, g == nullptr);
  CALL("begin null", cudaStreamBeginCapture(nullptr, relaxed));
  CALL("begin legacy", cudaStreamBeginCapture(cudaStreamLegacy, relaxed));
  CALL("begin mode", cudaStreamBeginCapture(a, (cudaStreamCaptureMode)7));
  CALL("begin", cudaStreamBeginCapture(a, relaxed));
  CALL("begin again", cudaStreamBeginCapture(a, relaxed));
  CALL("end null out", cudaStreamEndCapture(a, nullptr));
  cudaStreamCaptureStatus status;
  CALL("status", cudaStreamIsCapturing(a, &status), int(status));
  CALL("status null out", cudaStreamIsCapturing(a, nullptr));
  CALL("status of null", cudaStreamIsCapturing(nullptr, &status), int(status));
  finish("after begin again", a);
  CALL("begin a", cudaStreamBeginCapture(a, relaxed));
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  CALL("end of joined", cudaStreamEndCapture(b, &g));
  CALL("status after", cudaStreamIsCapturing(a, &status), int(status));
  finish("after end of joined", a);
  cudaStreamBeginCapture(a, relaxed);
  cudaStreamBeginCapture(b, relaxed);
  k(a), k(b);
  cudaEventRecord(e1, a);
  CALL("merge", cudaStreamWaitEvent(b, e1, 0));
  CALL("status a", cudaStreamIsCapturing(a, &status), int(status));
  CALL("status b", cudaStreamIsCapturing(b, &status), int(status));
  finish("merged a", a);
  finish("merged b", b);
  cudaEventRecord(e2, c);
  cudaStreamBeginCapture(a, relaxed);
  CALL("wait for outer event", cudaStreamWaitEvent(a, e2, 0));
  finish("isolated", a);
  cudaStreamBeginCapture(a, relaxed);
  k(a);
  cudaEventRecord(e1, a);
  CALL("query captured event", cudaEventQuery(e1));
  CALL("status queried", cudaStreamIsCapturing(a, &status), int(status));
  finish("queried", a);
  CALL("query event of ended", cudaEventQuery(e1));
  CALL("sync event of ended", cudaEventSynchronize(e1));
  CALL("wait event of ended", cudaStreamWaitEvent(c, e1, 0));
  float t;
  CALL("elapsed of ended", cudaEventElapsedTime(&t, e1, e1));
  CALL("record again", cudaEventRecord(e1, c));
  CALL("query recorded", cudaEventSynchronize(e1));
  cudaStreamBeginCapture(a, relaxed);
  k(a);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  k(b);
  CALL("destroy joined", cudaStreamDestroy(b));
  CALL("status destroyed", cudaStreamIsCapturing(a, &status), int(status));
  finish("destroyed joined", a);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaStreamBeginCapture(a, relaxed);
  kernel<<<1, 2000, 0, a>>>(memory);
  CALL("bad launch", cudaGetLastError());
  CALL("status bad launch", cudaStreamIsCapturing(a, &status), int(status));
  CALL("bad copy", cudaMemcpyAsync(nullptr, memory, 4, cudaMemcpyDefault, a));
  CALL("status bad copy", cudaStreamIsCapturing(a, &status), int(status));
  CALL("bad fill", cudaMemsetAsync(nullptr, 0, 4, a));
  CALL("status bad fill", cudaStreamIsCapturing(a, &status), int(status));
  CALL("bad event", cudaEventRecord(nullptr, a));
  CALL("bad malloc", cudaMallocAsync((void**)nullptr, 4, a));
  CALL("status bad malloc", cudaStreamIsCapturing(a, &status), int(status));
  finish("bad calls", a);
  CALL("end again", cudaStreamEndCapture(a, &g));
}

static void prepare() {
  cudaMalloc(&memory, 256);
  for (cudaStream_t* s : {&a, &b, &c}) cudaStreamCreateWithFlags(s, cudaStreamNonBlocking);
  for (cudaEvent_t* e : {&e1, &e2, &e3}) cudaEventCreate(e);
  k(a);
  cudaDeviceSynchronize();
}
// The end of a capture in another thread than its begin.
template <cudaStreamCaptureMode kMode>
static void wrong_thread() {
  prepare();
  cudaError_t begun = cudaErrorUnknown;
  std::thread([&] { begun = cudaStreamBeginCapture(a, kMode); }).join();
  SAY("begin", begun);
  k(a);
  SAY("launch", cudaGetLastError());
  void* p = nullptr;
  SAY("malloc", cudaMalloc(&p, 16));
  cudaGraph_t g = nullptr;
  SAY("end", cudaStreamEndCapture(a, &g), g != nullptr);
  cudaStreamCaptureStatus status;
  SAY("status", cudaStreamIsCapturing(a, &status), int(status));
  SAY("destroy", cudaStreamDestroy(a));
  SAY("malloc after", cudaMalloc(&p, 16));
}

static void all_shapes() {
  prepare();
  shapes();
}
static void all_errors() {
  prepare();
  errors();
  CALL("end", cudaDeviceSynchronize());
}

int main() {
  const cases::Case all[] = {{"shapes", all_shapes}, {"errors", all_errors},
                             {"wrong thread global", wrong_thread<cudaStreamCaptureModeGlobal>},
                             {"wrong thread local", wrong_thread<cudaStreamCaptureModeThreadLocal>},
                             {"wrong thread relaxed", wrong_thread<cudaStreamCaptureModeRelaxed>}};
  cases::run_all(all, 5);
  return 0;
}
