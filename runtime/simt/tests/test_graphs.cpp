// Graphs by capture and replay. CUDA C++ Programming Guide, "Creating a Graph Using Stream
// Capture"; CUDA Runtime API, "Graph Management" and the texts of cudaError.
#include "kernel_test.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace {

__global__ void add(int* value, int amount) { *value += amount; }
__global__ void times(int* value, int factor) { *value *= factor; }
__global__ void sum(const int* a, const int* b, int* out) { *out = *a + *b; }

/// An instantiated graph; the destructor frees the graph and its instantiation.
class Replay {
 public:
  explicit Replay(simtGraph_t graph) : graph_(graph) {
    REQUIRE_OK(simtGraphInstantiate(&exec_, graph, 0));
  }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  ~Replay() {
    simtGraphExecDestroy(exec_);
    simtGraphDestroy(graph_);
  }
  void run(simtStream_t stream) const { REQUIRE_OK(simtGraphLaunch(exec_, stream)); }
  simtGraph_t graph() const { return graph_; }
  simtGraphExec_t exec() const { return exec_; }

 private:
  simtGraph_t graph_;
  simtGraphExec_t exec_ = nullptr;
};

simtGraph_t captured(simtStream_t stream) {
  simtGraph_t graph = nullptr;
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_NE(graph, nullptr);
  return graph;
}

/// Sorted types of a graph's nodes: CUDA guarantees no order.
std::vector<simtGraphNodeType> types_of(simtGraph_t graph) {
  std::size_t count = 0;
  REQUIRE_OK(simtGraphGetNodes(graph, nullptr, &count));
  std::vector<simtGraphNode_t> nodes(count);
  REQUIRE_OK(simtGraphGetNodes(graph, nodes.data(), &count));
  std::vector<simtGraphNodeType> types(count);
  for (std::size_t i = 0; i < count; ++i) REQUIRE_OK(simtGraphNodeGetType(nodes[i], &types[i]));
  std::sort(types.begin(), types.end());
  return types;
}

simtStreamCaptureStatus status_of(simtStream_t stream) {
  simtStreamCaptureStatus status;
  REQUIRE_OK(simtStreamIsCapturing(stream, &status));
  return status;
}

void begin(simtStream_t stream, simtStreamCaptureMode mode = simtStreamCaptureModeGlobal) {
  REQUIRE_OK(simtStreamBeginCapture(stream, mode));
}

/// Ends a capture that has failed, and expects this error.
void check_end(simtStream_t stream, simtError_t expected) {
  simtGraph_t graph = reinterpret_cast<simtGraph_t>(stream);
  CHECK_EQ(simtStreamEndCapture(stream, &graph), expected);
  CHECK_EQ(graph, nullptr);
  CHECK_EQ(status_of(stream), simtStreamCaptureStatusNone);
  static_cast<void>(simtGetLastError());
  // The stream is usable again without a capture.
  CHECK_OK(simtStreamSynchronize(stream));
}

TEST_CASE("kernels that are captured run when the graph is launched, each time") {
  TestStream stream;
  const DeviceArray<int> value(1, 1);
  CHECK_EQ(status_of(stream), simtStreamCaptureStatusNone);
  begin(stream);
  CHECK_EQ(status_of(stream), simtStreamCaptureStatusActive);
  for (int i = 0; i < 3; ++i) {
    SIMT_LAUNCH((times), (1), (1), (0), (stream), value.data(), 2);
    SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
  }
  const Replay replay(captured(stream));
  CHECK_EQ(status_of(stream), simtStreamCaptureStatusNone);
  CHECK_EQ(value.values()[0], 1);
  replay.run(stream);
  CHECK_OK(simtStreamSynchronize(stream));
  CHECK_EQ(value.values()[0], 15);  // 2x + 1, three times
  replay.run(stream);
  replay.run(stream);
  CHECK_OK(simtStreamSynchronize(stream));
  CHECK_EQ(value.values()[0], 1023);
}

TEST_CASE("copies, sets and host functions of a graph") {
  TestStream stream;
  int* pinned;
  int calls = 0;
  REQUIRE_OK(simtMallocHost(&pinned, 2 * sizeof(int)));
  const DeviceArray<int> value(2, 50);
  begin(stream);
  REQUIRE_OK(simtMemcpyAsync(value.data(), pinned, sizeof(int), simtMemcpyHostToDevice, stream));
  REQUIRE_OK(simtMemsetAsync(value.data() + 1, 0, sizeof(int), stream));
  SIMT_LAUNCH((sum), (1), (1), (0), (stream), value.data(), value.data() + 1, value.data() + 1);
  REQUIRE_OK(
      simtMemcpyAsync(pinned + 1, value.data() + 1, sizeof(int), simtMemcpyDeviceToHost, stream));
  REQUIRE_OK(simtLaunchHostFunc(stream, [](void* count) { ++*static_cast<int*>(count); }, &calls));
  const Replay replay(captured(stream));
  CHECK_EQ(calls, 0);
  CHECK_EQ(types_of(replay.graph()),
           std::vector<simtGraphNodeType>{simtGraphNodeTypeKernel, simtGraphNodeTypeMemcpy,
                                          simtGraphNodeTypeMemcpy, simtGraphNodeTypeMemset,
                                          simtGraphNodeTypeHost});
  for (int i = 1; i <= 3; ++i) {
    // The graph reads the memory when it runs, not at the capture.
    pinned[0] = 11 * i;
    replay.run(stream);
    REQUIRE_OK(simtStreamSynchronize(stream));
    CHECK_EQ(pinned[1], 11 * i);
    CHECK_EQ(calls, i);
  }
  CHECK_OK(simtFreeHost(pinned));
}

TEST_CASE("arguments of kernels are kept as they were when they were captured") {
  TestStream stream;
  const DeviceArray<int> value(1);
  int amount = 5;
  begin(stream);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), amount);
  amount = 1000;
  const Replay replay(captured(stream));
  replay.run(stream);
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(value.values()[0], 5);
}

TEST_CASE("a capture forks to another stream by an event and joins again") {
  TestStream origin, branch;
  TestEvent forked, joined;
  const DeviceArray<int> values(std::vector<int>{1, 10, 0});
  int* at = values.data();
  begin(origin);
  SIMT_LAUNCH((add), (1), (1), (0), (origin), at, 1);
  REQUIRE_OK(simtEventRecord(forked, origin));
  REQUIRE_OK(simtStreamWaitEvent(branch, forked));
  CHECK_EQ(status_of(branch), simtStreamCaptureStatusActive);
  SIMT_LAUNCH((times), (1), (1), (0), (branch), at + 1, 3);
  SIMT_LAUNCH((times), (1), (1), (0), (origin), at, 2);
  REQUIRE_OK(simtEventRecord(joined, branch));
  REQUIRE_OK(simtStreamWaitEvent(origin, joined));
  SIMT_LAUNCH((sum), (1), (1), (0), (origin), at, at + 1, at + 2);
  const Replay replay(captured(origin));
  CHECK_EQ(status_of(branch), simtStreamCaptureStatusNone);
  CHECK_OK(simtStreamSynchronize(branch));
  CHECK_EQ(values.values(), std::vector<int>{1, 10, 0});
  replay.run(branch);
  REQUIRE_OK(simtStreamSynchronize(branch));
  CHECK_EQ(values.values(), std::vector<int>{4, 30, 34});

  // The graph has four kernels: one, two in parallel, one.
  std::size_t nodes = 0, roots = 0, edges = 0;
  CHECK_OK(simtGraphGetNodes(replay.graph(), nullptr, &nodes));
  CHECK_OK(simtGraphGetRootNodes(replay.graph(), nullptr, &roots));
  CHECK_OK(simtGraphGetEdges(replay.graph(), nullptr, nullptr, &edges));
  CHECK_EQ(nodes, 4);
  CHECK_EQ(roots, 1);
  CHECK_EQ(edges, 4);
  CHECK_EQ(types_of(replay.graph()), std::vector<simtGraphNodeType>(4, simtGraphNodeTypeKernel));
}

TEST_CASE("a graph runs in the order of the stream it is launched on") {
  TestStream stream;
  const DeviceArray<int> value(1, 1);
  begin(stream);
  SIMT_LAUNCH((times), (1), (1), (0), (stream), value.data(), 10);
  const Replay replay(captured(stream));
  Gate gate;
  gate.hold(stream);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 2);  // 3
  replay.run(stream);                                            // 30
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 4);  // 34
  replay.run(stream);                                            // 340
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(value.values()[0], 340);
}

TEST_CASE("a graph may be destroyed after its instantiation; a clone is independent") {
  TestStream stream;
  const DeviceArray<int> value(1);
  begin(stream);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
  const simtGraph_t graph = captured(stream);
  simtGraph_t copy = nullptr;
  REQUIRE_OK(simtGraphClone(&copy, graph));
  simtGraphExec_t exec;
  REQUIRE_OK(simtGraphInstantiateWithFlags(&exec, graph, 0));
  CHECK_OK(simtGraphDestroy(graph));
  CHECK_OK(simtGraphUpload(exec, stream));
  CHECK_OK(simtGraphLaunch(exec, stream));
  const Replay replay(copy);
  replay.run(stream);
  CHECK_OK(simtStreamSynchronize(stream));
  CHECK_EQ(value.values()[0], 2);
  CHECK_OK(simtGraphExecDestroy(exec));
  CHECK_NE(simtGraphDestroy(graph), simtSuccess);
  CHECK_NE(simtGraphLaunch(exec, stream), simtSuccess);
  CHECK_NE(simtGetLastError(), simtSuccess);
}

TEST_CASE("an executable graph may be destroyed while it runs") {
  TestStream stream;
  const DeviceArray<int> value(1);
  Gate gate;
  {
    begin(stream);
    SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 6);
    const Replay replay(captured(stream));
    gate.hold(stream);
    replay.run(stream);
  }
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(value.values()[0], 6);
}

TEST_CASE("a graph is written for Graphviz") {
  TestStream stream;
  const DeviceArray<int> value(1);
  begin(stream);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
  const Replay replay(captured(stream));
  char path[] = "/tmp/simt_graph_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  CHECK_OK(simtGraphDebugDotPrint(replay.graph(), path, 0));
  char text[4096] = {};
  CHECK(read(file, text, sizeof text - 1) > 0);
  close(file);
  unlink(path);
  CHECK(contains(text, "digraph"));
  CHECK(contains(text, "->"));
  CHECK(contains(text, "add"));
}

TEST_CASE("an empty capture makes an empty graph") {
  TestStream stream;
  begin(stream);
  const Replay replay(captured(stream));
  std::size_t nodes = 9;
  CHECK_OK(simtGraphGetNodes(replay.graph(), nullptr, &nodes));
  CHECK_EQ(nodes, 0);
  replay.run(stream);
  CHECK_OK(simtStreamSynchronize(stream));
}

TEST_CASE("information about a capture in progress") {
  TestStream stream;
  const DeviceArray<int> value(1);
  simtStreamCaptureStatus status = simtStreamCaptureStatusActive;
  unsigned long long id = 0, second_id = 0;
  CHECK_OK(simtStreamGetCaptureInfo(stream, &status, &id));
  CHECK_EQ(status, simtStreamCaptureStatusNone);
  begin(stream);
  simtGraph_t graph = nullptr;
  const simtGraphNode_t* last = nullptr;
  std::size_t count = 0;
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
  CHECK_OK(simtStreamGetCaptureInfo(stream, &status, &id, &graph, &last, &count));
  CHECK_EQ(status, simtStreamCaptureStatusActive);
  CHECK_NE(graph, nullptr);
  CHECK_EQ(count, 1);
  simtGraphDestroy(captured(stream));
  begin(stream);
  CHECK_OK(simtStreamGetCaptureInfo(stream, &status, &second_id));
  CHECK_NE(id, second_id);
  simtGraphDestroy(captured(stream));
}

// -- calls that a capture does not permit

// cudaErrorStreamCaptureUnsupported: "The operation is not permitted when the stream is capturing."
TEST_CASE("waiting for a stream that is captured breaks the capture") {
  TestStream stream;
  const DeviceArray<int> value(1);
  begin(stream);
  CHECK_EQ(simtStreamSynchronize(stream), simtErrorStreamCaptureUnsupported);
  CHECK_EQ(status_of(stream), simtStreamCaptureStatusInvalidated);
  // cudaErrorStreamCaptureInvalidated: "The current capture sequence on the stream has been
  // invalidated due to a previous error."
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
  CHECK_EQ(simtGetLastError(), simtErrorStreamCaptureInvalidated);
  check_end(stream, simtErrorStreamCaptureInvalidated);

  begin(stream);
  CHECK_EQ(simtStreamQuery(stream), simtErrorStreamCaptureUnsupported);
  check_end(stream, simtErrorStreamCaptureInvalidated);
  begin(stream);
  CHECK_EQ(simtDeviceSynchronize(), simtErrorStreamCaptureUnsupported);
  check_end(stream, simtErrorStreamCaptureInvalidated);
  CHECK_EQ(value.values()[0], 0);
}

// cudaStreamCaptureModeGlobal and the other modes: "potentially unsafe API calls" such as cudaMalloc().
TEST_CASE("allocations break a strict capture, and not a relaxed one") {
  TestStream stream;
  void* memory = nullptr;
  begin(stream);
  CHECK_EQ(simtMalloc(&memory, 64), simtErrorStreamCaptureUnsupported);
  check_end(stream, simtErrorStreamCaptureInvalidated);

  begin(stream, simtStreamCaptureModeRelaxed);
  CHECK_OK(simtMalloc(&memory, 64));
  simtGraphDestroy(captured(stream));
  CHECK_OK(simtFree(memory));

  // The thread declares its calls as safe, like PyTorch's allocator.
  begin(stream);
  simtStreamCaptureMode mode = simtStreamCaptureModeRelaxed;
  CHECK_OK(simtThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, simtStreamCaptureModeGlobal);
  CHECK_OK(simtMalloc(&memory, 64));
  CHECK_OK(simtThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, simtStreamCaptureModeRelaxed);
  simtGraphDestroy(captured(stream));
  CHECK_OK(simtFree(memory));
}

TEST_CASE("a thread-local capture leaves other threads alone, a global one does not") {
  TestStream stream;
  simtError_t of_other = simtErrorUnknown;
  const auto allocate_elsewhere = [&] {
    std::thread([&] {
      void* memory = nullptr;
      of_other = simtMalloc(&memory, 64);
      if (of_other == simtSuccess) simtFree(memory);
    }).join();
  };
  begin(stream, simtStreamCaptureModeThreadLocal);
  allocate_elsewhere();
  CHECK_OK(of_other);
  simtGraphDestroy(captured(stream));
  begin(stream, simtStreamCaptureModeGlobal);
  allocate_elsewhere();
  CHECK_EQ(of_other, simtErrorStreamCaptureUnsupported);
  check_end(stream, simtErrorStreamCaptureInvalidated);
}

// cudaErrorStreamCaptureUnjoined: "The capture was not terminated because it contains work that has
// not been joined to the origin stream." cudaErrorStreamCaptureUnmatched: "The cudaStreamEndCapture
// call did not refer to the stream that started the capture".
TEST_CASE("a branch that does not join, and an end on the wrong stream") {
  TestStream origin, branch;
  TestEvent forked;
  const DeviceArray<int> value(1);
  begin(origin);
  REQUIRE_OK(simtEventRecord(forked, origin));
  REQUIRE_OK(simtStreamWaitEvent(branch, forked));
  SIMT_LAUNCH((add), (1), (1), (0), (branch), value.data(), 1);
  check_end(origin, simtErrorStreamCaptureUnjoined);
  CHECK_EQ(status_of(branch), simtStreamCaptureStatusNone);

  begin(origin);
  REQUIRE_OK(simtEventRecord(forked, origin));
  REQUIRE_OK(simtStreamWaitEvent(branch, forked));
  simtGraph_t graph = nullptr;
  CHECK_EQ(simtStreamEndCapture(branch, &graph), simtErrorStreamCaptureUnmatched);
  check_end(origin, simtErrorStreamCaptureInvalidated);
  CHECK_EQ(value.values()[0], 0);
}

// cudaErrorStreamCaptureImplicit: "A dependency would have been created which crosses the capture
// sequence boundary" by the rules of the default stream; the guide: "it is invalid to ... the
// legacy stream".
TEST_CASE("the default stream cannot be captured, nor be used beside a capture that blocks it") {
  CHECK_EQ(simtStreamBeginCapture(nullptr, simtStreamCaptureModeGlobal),
           simtErrorStreamCaptureUnsupported);
  CHECK_EQ(simtGetLastError(), simtErrorStreamCaptureUnsupported);
  TestStream blocking(simtStreamDefault), apart(simtStreamNonBlocking);
  const DeviceArray<int> value(1);
  begin(blocking);
  SIMT_LAUNCH((add), (1), (1), (0), (0), value.data(), 1);
  CHECK_EQ(simtGetLastError(), simtErrorStreamCaptureImplicit);
  check_end(blocking, simtErrorStreamCaptureInvalidated);

  begin(apart);
  SIMT_LAUNCH((add), (1), (1), (0), (0), value.data(), 2);
  CHECK_OK(simtGetLastError());
  simtGraphDestroy(captured(apart));
  CHECK_EQ(value.values()[0], 2);
}

// cudaErrorStreamCaptureIsolation: "A dependency would have been created which crosses the capture
// sequence boundary. Only implicit in-stream ordering dependencies are allowed to cross the
// boundary."
TEST_CASE("events do not cross the boundary of a capture") {
  TestStream stream, outside;
  TestEvent before, inside;
  REQUIRE_OK(simtEventRecord(before, outside));
  begin(stream);
  CHECK_EQ(simtStreamWaitEvent(stream, before), simtErrorStreamCaptureIsolation);
  check_end(stream, simtErrorStreamCaptureInvalidated);

  begin(stream);
  REQUIRE_OK(simtEventRecord(inside, stream));
  // cudaErrorCapturedEvent: "The operation is not permitted on an event which was last recorded in
  // a capturing stream."
  CHECK_EQ(simtEventQuery(inside), simtErrorCapturedEvent);
  static_cast<void>(simtGetLastError());
  simtGraph_t graph = nullptr;
  static_cast<void>(simtStreamEndCapture(stream, &graph));
  simtGraphDestroy(graph);
  CHECK_EQ(simtEventSynchronize(inside), simtErrorInvalidValue);  // the capture has ended
  static_cast<void>(simtGetLastError());
}

// cudaErrorStreamCaptureMerge: "The call would have resulted in a merge of two independent capture
// sequences."
TEST_CASE("two captures cannot become one") {
  TestStream first, second;
  TestEvent event;
  begin(first, simtStreamCaptureModeRelaxed);
  begin(second, simtStreamCaptureModeRelaxed);
  REQUIRE_OK(simtEventRecord(event, first));
  CHECK_EQ(simtStreamWaitEvent(second, event), simtErrorStreamCaptureMerge);
  simtGraph_t graph = nullptr;
  CHECK_EQ(simtStreamEndCapture(second, &graph), simtErrorStreamCaptureInvalidated);
  CHECK_EQ(simtStreamEndCapture(first, &graph), simtErrorStreamCaptureInvalidated);
  static_cast<void>(simtGetLastError());
}

// cudaErrorStreamCaptureWrongThread: "A stream capture sequence not initiated with the
// cudaStreamCaptureModeRelaxed argument to cudaStreamBeginCapture was passed to
// cudaStreamEndCapture in a different thread."
TEST_CASE("a capture gives its graph on the thread it began on, unless it is relaxed") {
  TestStream stream;
  simtGraph_t graph = nullptr;
  simtError_t of_other = simtSuccess;
  const auto end_elsewhere = [&] {
    std::thread([&] { of_other = simtStreamEndCapture(stream, &graph); }).join();
  };
  begin(stream);
  end_elsewhere();
  CHECK_EQ(of_other, simtErrorStreamCaptureWrongThread);
  CHECK_EQ(status_of(stream), simtStreamCaptureStatusNone);
  begin(stream, simtStreamCaptureModeRelaxed);
  end_elsewhere();
  CHECK_OK(of_other);
  CHECK_OK(simtGraphDestroy(graph));
  static_cast<void>(simtGetLastError());
}

TEST_CASE("streams without a capture, and invalid modes") {
  TestStream stream;
  simtGraph_t graph = nullptr;
  // cudaErrorIllegalState: "This indicates that a resource required by the API call is not in a
  // valid state to perform the requested operation."
  CHECK_EQ(simtStreamEndCapture(stream, &graph), simtErrorIllegalState);
  begin(stream);
  CHECK_EQ(simtStreamBeginCapture(stream, simtStreamCaptureModeGlobal), simtErrorIllegalState);
  static_cast<void>(simtStreamEndCapture(stream, &graph));
  static_cast<void>(simtGraphDestroy(graph));
  CHECK_EQ(simtStreamBeginCapture(stream, static_cast<simtStreamCaptureMode>(9)),
           simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
}

TEST_CASE("a stream may be destroyed when its capture is over") {
  const DeviceArray<int> value(1);
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreate(&stream));
  begin(stream);
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value.data(), 1);
  const Replay replay(captured(stream));
  CHECK_OK(simtStreamDestroy(stream));
  TestStream other;
  replay.run(other);
  REQUIRE_OK(simtStreamSynchronize(other));
  CHECK_EQ(value.values()[0], 1);
}

TEST_CASE("memory may be allocated and freed in the order of a capture") {
  TestStream stream;
  const DeviceArray<int> out(1);
  begin(stream);
  int* memory = nullptr;
  CHECK_OK(simtMallocAsync(&memory, sizeof(int), stream));
  CHECK_OK(simtMemsetAsync(memory, 0, sizeof(int), stream));
  SIMT_LAUNCH((add), (1), (1), (0), (stream), memory, 3);
  CHECK_OK(simtMemcpyAsync(out.data(), memory, sizeof(int), simtMemcpyDeviceToDevice, stream));
  CHECK_OK(simtFreeAsync(memory, stream));
  const Replay replay(captured(stream));
  CHECK_EQ(types_of(replay.graph()),
           std::vector<simtGraphNodeType>{simtGraphNodeTypeKernel, simtGraphNodeTypeMemcpy,
                                          simtGraphNodeTypeMemset, simtGraphNodeTypeMemAlloc,
                                          simtGraphNodeTypeMemFree});
  for (int i = 0; i < 3; ++i) {
    REQUIRE_OK(simtMemsetAsync(out.data(), 0xff, sizeof(int), stream));
    replay.run(stream);
    REQUIRE_OK(simtStreamSynchronize(stream));
    CHECK_EQ(out.values()[0], 3);
  }
}

TEST_CASE("a capture ends with its stream") {
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreate(&stream));
  begin(stream);
  CHECK_OK(simtStreamDestroy(stream));
  // After the capture has ended, all calls are permitted again.
  void* memory = nullptr;
  CHECK_OK(simtMalloc(&memory, 64));
  CHECK_OK(simtFree(memory));
  CHECK_OK(simtDeviceSynchronize());
}

}  // namespace
