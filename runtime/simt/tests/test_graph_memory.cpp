// Memory that captures allocate. CUDA C++ Programming Guide, "Graph Memory Nodes"; CUDA Runtime
// API, cudaGraphAddMemAllocNode, cudaGraphInstantiate, cudaGraphClone.
#include "kernel_test.h"

namespace {

constexpr std::size_t kBytes = 4096;

__global__ void fill(unsigned char* memory, std::size_t size, unsigned char value) {
  for (std::size_t i = 0; i < size; ++i) memory[i] = value;
}
__global__ void first_byte(const unsigned char* memory, int* out) { *out = memory[0]; }

/// A graph that allocates memory, fills it with 7, and optionally frees it.
struct Allocating {
  explicit Allocating(bool frees, unsigned long long flags = 0) {
    REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeGlobal));
    REQUIRE_OK(simtMallocAsync(&memory, kBytes, stream));
    SIMT_LAUNCH((fill), (1), (1), (0), (stream), memory, kBytes, 7);
    SIMT_LAUNCH((first_byte), (1), (1), (0), (stream), memory, out.data());
    if (frees) REQUIRE_OK(simtFreeAsync(memory, stream));
    REQUIRE_OK(simtStreamEndCapture(stream, &graph));
    REQUIRE_OK(simtGraphInstantiate(&exec, graph, flags));
  }
  Allocating(const Allocating&) = delete;
  Allocating& operator=(const Allocating&) = delete;
  ~Allocating() {
    if (exec != nullptr) simtGraphExecDestroy(exec);
    if (graph != nullptr) simtGraphDestroy(graph);
  }
  void destroy() {
    CHECK_OK(simtGraphExecDestroy(std::exchange(exec, nullptr)));
    CHECK_OK(simtGraphDestroy(std::exchange(graph, nullptr)));
  }

  TestStream stream;
  const DeviceArray<int> out{1};
  unsigned char* memory = nullptr;
  simtGraph_t graph = nullptr;
  simtGraphExec_t exec = nullptr;
};

TEST_CASE("a launch holds the memory of its graph") {
  for (int round = 0; round < 20; ++round) {
    Allocating graph(true);
    Gate gate;
    gate.hold(graph.stream);
    REQUIRE_OK(simtGraphLaunch(graph.exec, graph.stream));
    graph.destroy();
    // No other allocation may have this address.
    void* other;
    REQUIRE_OK(simtMalloc(&other, kBytes));
    CHECK_NE(other, static_cast<void*>(graph.memory));
    gate.open();
    REQUIRE_OK(simtStreamSynchronize(graph.stream));
    CHECK_EQ(graph.out.values()[0], 7);
    CHECK_OK(simtFree(other));
  }
}

TEST_CASE("memory that is freed outside of its graph keeps its address for the next launch") {
  Allocating graph(false);
  for (int round = 0; round < 3; ++round) {
    REQUIRE_OK(simtMemset(graph.out.data(), 0, sizeof(int)));
    REQUIRE_OK(simtGraphLaunch(graph.exec, graph.stream));
    REQUIRE_OK(simtFreeAsync(graph.memory, graph.stream));
    // Another allocation of the same size would receive freed bytes; it must not receive these.
    std::vector<unsigned char> kept(kBytes, 1), found(kBytes);
    std::vector<void*> others(8);
    for (void*& other : others) {
      REQUIRE_OK(simtMalloc(&other, kBytes));
      REQUIRE_OK(simtMemcpy(other, kept.data(), kBytes, simtMemcpyHostToDevice));
    }
    REQUIRE_OK(simtGraphLaunch(graph.exec, graph.stream));
    REQUIRE_OK(simtStreamSynchronize(graph.stream));
    CHECK_EQ(graph.out.values()[0], 7);
    for (void* other : others) {
      REQUIRE_OK(simtMemcpy(found.data(), other, kBytes, simtMemcpyDeviceToHost));
      CHECK_EQ(found, kept);
      CHECK_OK(simtFree(other));
    }
    CHECK_OK(round == 1 ? simtFree(graph.memory) : simtFreeAsync(graph.memory, graph.stream));
    CHECK_EQ(simtFree(graph.memory), simtErrorInvalidValue);
  }
  static_cast<void>(simtGetLastError());
}

TEST_CASE("a graph with allocated memory cannot be launched again, unless the launch frees it") {
  Allocating graph(false);
  CHECK_EQ(simtFreeAsync(graph.memory, graph.stream), simtErrorInvalidValue);
  REQUIRE_OK(simtGraphLaunch(graph.exec, graph.stream));
  CHECK_EQ(simtGraphLaunch(graph.exec, graph.stream), simtErrorInvalidValue);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidValue);
  REQUIRE_OK(simtFreeAsync(graph.memory, graph.stream));

  Allocating freeing(false, simtGraphInstantiateFlagAutoFreeOnLaunch);
  for (int round = 0; round < 3; ++round) REQUIRE_OK(simtGraphLaunch(freeing.exec, freeing.stream));
  REQUIRE_OK(simtStreamSynchronize(freeing.stream));
  CHECK_OK(simtFree(freeing.memory));
}

TEST_CASE("memory that a launch has left allocated outlives its graph") {
  Allocating graph(false);
  REQUIRE_OK(simtGraphLaunch(graph.exec, graph.stream));
  graph.destroy();
  REQUIRE_OK(simtStreamSynchronize(graph.stream));
  unsigned char byte = 0;
  CHECK_OK(simtMemcpy(&byte, graph.memory, 1, simtMemcpyDeviceToHost));
  CHECK_EQ(byte, 7);
  CHECK_OK(simtFree(graph.memory));
  CHECK_EQ(simtMemset(graph.memory, 0, 1), simtErrorInvalidValue);
  static_cast<void>(simtGetLastError());
}

TEST_CASE("another graph frees the memory of a graph") {
  Allocating graph(false);
  TestStream stream;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeGlobal));
  REQUIRE_OK(simtFreeAsync(graph.memory, stream));
  CHECK_EQ(simtFreeAsync(graph.memory, stream), simtErrorInvalidValue);
  simtGraph_t freeing;
  simtGraphExec_t exec;
  REQUIRE_OK(simtStreamEndCapture(stream, &freeing));
  REQUIRE_OK(simtGraphInstantiate(&exec, freeing, 0));
  CHECK_EQ(simtGraphLaunch(exec, graph.stream), simtErrorInvalidValue);
  for (int round = 0; round < 3; ++round) {
    REQUIRE_OK(simtGraphLaunch(graph.exec, graph.stream));
    REQUIRE_OK(simtGraphLaunch(exec, graph.stream));
  }
  CHECK_OK(simtStreamSynchronize(graph.stream));
  CHECK_OK(simtGraphExecDestroy(exec));
  CHECK_OK(simtGraphDestroy(freeing));
  static_cast<void>(simtGetLastError());
}

TEST_CASE("a graph that allocates has one instantiation and no clone") {
  Allocating graph(true);
  simtGraph_t copy;
  simtGraphExec_t second;
  CHECK_EQ(simtGraphClone(&copy, graph.graph), simtErrorNotSupported);
  CHECK_EQ(simtGraphInstantiate(&second, graph.graph, 0), simtErrorNotSupported);
  CHECK_OK(simtGraphExecDestroy(graph.exec));
  CHECK_OK(simtGraphInstantiate(&graph.exec, graph.graph, 0));
  static_cast<void>(simtGetLastError());
}

TEST_CASE("memory that nodes before have freed is used again within a graph") {
  TestStream stream;
  void *first, *second, *third;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeGlobal));
  REQUIRE_OK(simtMallocAsync(&first, kBytes, stream));
  REQUIRE_OK(simtMallocAsync(&second, kBytes, stream));
  CHECK_NE(first, second);
  REQUIRE_OK(simtFreeAsync(first, stream));
  REQUIRE_OK(simtMallocAsync(&third, kBytes, stream));
  CHECK_EQ(first, third);
  REQUIRE_OK(simtFreeAsync(second, stream));
  REQUIRE_OK(simtFreeAsync(third, stream));
  simtGraph_t graph;
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  CHECK_OK(simtGraphDestroy(graph));
}

TEST_CASE("a reset of the device forgets the memory of graphs") {
  Allocating graph(false);
  REQUIRE_OK(simtGraphLaunch(graph.exec, graph.stream));
  REQUIRE_OK(simtDeviceReset());
  CHECK_EQ(simtGraphLaunch(graph.exec, graph.stream), simtErrorInvalidValue);
  CHECK_EQ(simtFree(graph.memory), simtErrorInvalidValue);
  static_cast<void>(simtGetLastError());
}

}  // namespace
