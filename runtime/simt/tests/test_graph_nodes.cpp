// Graphs built node by node. CUDA Runtime API, "Graph Management".
#include "kernel_test.h"

#include <numeric>

namespace {

__global__ void scale(int* values, int by) {
  SIMT_KERNEL(scale);
  values[threadIdx.x] *= by;
}
__global__ void add(int* values, int term) {
  SIMT_KERNEL(add);
  values[threadIdx.x] += term;
}

constexpr unsigned kCount = 8;
__device__ int symbol[kCount];

/// Graph that is destroyed at the end of the test.
struct Graph {
  simtGraph_t graph = nullptr;
  simtGraphExec_t exec = nullptr;

  Graph() { REQUIRE_OK(simtGraphCreate(&graph, 0)); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    if (exec != nullptr) simtGraphExecDestroy(exec);
    simtGraphDestroy(graph);
  }
  void run() {
    if (exec == nullptr) REQUIRE_OK(simtGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    REQUIRE_OK(simtGraphLaunch(exec, nullptr));
    REQUIRE_OK(simtDeviceSynchronize());
  }
};

/// Parameters of a kernel node with two arguments.
struct Call {
  int* values;
  int number;
  void* arguments[2] = {&values, &number};
  simtKernelNodeParams params{};

  Call(void (*kernel)(int*, int), int* values, int number) : values(values), number(number) {
    params.func = reinterpret_cast<void*>(kernel);
    params.gridDim = 1;
    params.blockDim = kCount;
    params.kernelParams = arguments;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

simtGraphNode_t add_kernel(simtGraph_t graph, const Call& call,
                           const std::vector<simtGraphNode_t>& after = {}) {
  simtGraphNode_t node = nullptr;
  REQUIRE_OK(simtGraphAddKernelNode(&node, graph, after.data(), after.size(), &call.params));
  return node;
}

std::vector<int> repeated(int value) { return std::vector<int>(kCount, value); }

TEST_CASE("kernel nodes run in the order of their edges") {
  const DeviceArray<int> values(kCount, 1);
  Graph own;
  const auto twice = add_kernel(own.graph, Call(scale, values.data(), 2));
  const auto plus = add_kernel(own.graph, Call(add, values.data(), 5));
  // The scaling follows the addition, although its node is older.
  REQUIRE_OK(simtGraphAddDependencies(own.graph, &plus, &twice, 1));
  own.run();
  CHECK_EQ(values.values(), repeated(12));
  CHECK_EQ(simtGraphAddDependencies(own.graph, &plus, &twice, 1), simtErrorInvalidValue);

  std::size_t count = 1;
  simtGraphNode_t found = nullptr;
  REQUIRE_OK(simtGraphNodeGetDependencies(twice, &found, &count));
  CHECK_EQ(found, plus);
  REQUIRE_OK(simtGraphNodeGetDependentNodes(plus, &found, &count));
  CHECK_EQ(found, twice);

  REQUIRE_OK(simtGraphAddDependencies(own.graph, &twice, &plus, 1));
  simtGraphExec_t cycle = nullptr;
  CHECK_EQ(simtGraphInstantiate(&cycle, own.graph), simtErrorInvalidValue);
  REQUIRE_OK(simtGraphDestroyNode(plus));
  REQUIRE_OK(simtGraphNodeGetDependencies(twice, nullptr, &count));
  CHECK_EQ(count, 0u);
}

TEST_CASE("copies, fills and host functions as nodes") {
  const DeviceArray<int> values(kCount);
  std::vector<int> in(kCount, 3), out(kCount);
  int calls = 0;
  Graph own;
  simtMemsetParams fill{};
  fill.dst = values.data();
  fill.elementSize = 4;
  fill.value = 7;
  fill.width = kCount / 2;
  fill.height = 1;
  simtHostNodeParams host{[](void* data) { ++*static_cast<int*>(data); }, &calls};
  simtGraphNode_t copied, filled, to_symbol, from_symbol, called;
  REQUIRE_OK(simtGraphAddMemcpyNode1D(&copied, own.graph, nullptr, 0, values.data(), in.data(),
                                      values.bytes(), simtMemcpyHostToDevice));
  REQUIRE_OK(simtGraphAddMemsetNode(&filled, own.graph, &copied, 1, &fill));
  REQUIRE_OK(simtGraphAddMemcpyNodeToSymbol(&to_symbol, own.graph, &filled, 1, symbol,
                                            values.data(), values.bytes(), 0,
                                            simtMemcpyDeviceToDevice));
  REQUIRE_OK(simtGraphAddMemcpyNodeFromSymbol(&from_symbol, own.graph, &to_symbol, 1, out.data(),
                                              symbol, values.bytes(), 0, simtMemcpyDeviceToHost));
  REQUIRE_OK(simtGraphAddHostNode(&called, own.graph, &from_symbol, 1, &host));
  own.run();
  CHECK_EQ(out, std::vector<int>{7, 7, 7, 7, 3, 3, 3, 3});
  CHECK_EQ(calls, 1);

  simtMemsetParams stored{};
  REQUIRE_OK(simtGraphMemsetNodeGetParams(filled, &stored));
  CHECK_EQ(stored.value, 7u);
  stored.value = 1;
  REQUIRE_OK(simtGraphExecMemsetNodeSetParams(own.exec, filled, &stored));
  in.assign(kCount, 4);
  own.run();
  CHECK_EQ(out, std::vector<int>{1, 1, 1, 1, 4, 4, 4, 4});
  REQUIRE_OK(simtGraphNodeSetEnabled(own.exec, filled, 0));
  own.run();
  CHECK_EQ(out, repeated(4));
}

TEST_CASE("a kernel node owns its arguments, and an executable graph its copies") {
  const DeviceArray<int> values(kCount, 1);
  Graph own;
  simtGraphNode_t node;
  {
    const Call call(add, values.data(), 5);
    node = add_kernel(own.graph, call);
  }
  own.run();
  simtKernelNodeParams params{};
  REQUIRE_OK(simtGraphKernelNodeGetParams(node, &params));
  CHECK_EQ(*static_cast<int*>(params.kernelParams[1]), 5);
  params.blockDim = 4;
  REQUIRE_OK(simtGraphKernelNodeSetParams(node, &params));
  own.run();
  CHECK_EQ(values.values(), repeated(11));
  REQUIRE_OK(simtGraphExecKernelNodeSetParams(own.exec, node, &params));
  own.run();
  CHECK_EQ(values.values(), std::vector<int>{16, 16, 16, 16, 11, 11, 11, 11});
}

TEST_CASE("a graph as a node, and a clone") {
  const DeviceArray<int> values(kCount, 1);
  Graph child, own;
  const auto inner = add_kernel(child.graph, Call(add, values.data(), 2));
  simtGraphNode_t node, empty;
  REQUIRE_OK(simtGraphAddEmptyNode(&empty, own.graph, nullptr, 0));
  REQUIRE_OK(simtGraphAddChildGraphNode(&node, own.graph, &empty, 1, child.graph));
  add_kernel(own.graph, Call(scale, values.data(), 10), {node});
  own.run();
  CHECK_EQ(values.values(), repeated(30));
  simtGraph_t copy = nullptr, clone = nullptr;
  simtGraphNode_t found = nullptr;
  REQUIRE_OK(simtGraphChildGraphNodeGetGraph(node, &copy));
  REQUIRE_OK(simtGraphNodeFindInClone(&found, inner, copy));
  CHECK_NE(found, inner);
  REQUIRE_OK(simtGraphClone(&clone, child.graph));
  REQUIRE_OK(simtGraphNodeFindInClone(&found, inner, clone));
  REQUIRE_OK(simtGraphDestroy(clone));
}

TEST_CASE("an update takes the parameters of a graph with the same structure") {
  const DeviceArray<int> values(kCount, 1);
  Graph first, same, other;
  add_kernel(first.graph, Call(add, values.data(), 1));
  add_kernel(same.graph, Call(scale, values.data(), 3));
  const auto node = add_kernel(other.graph, Call(add, values.data(), 1));
  add_kernel(other.graph, Call(add, values.data(), 1), {node});
  first.run();
  simtGraphExecUpdateResultInfo info{};
  REQUIRE_OK(simtGraphExecUpdate(first.exec, same.graph, &info));
  first.run();
  CHECK_EQ(values.values(), repeated(6));
  CHECK_EQ(simtGraphExecUpdate(first.exec, other.graph, &info), simtErrorGraphExecUpdateFailure);
  CHECK_EQ(info.result, simtGraphExecUpdateErrorTopologyChanged);
}

TEST_CASE("memory nodes allocate and free") {
  Graph own;
  std::vector<int> out(kCount);
  simtMemAllocNodeParams memory{};
  memory.poolProps.allocType = simtMemAllocationTypePinned;
  memory.poolProps.location = {simtMemLocationTypeDevice, 0};
  memory.bytesize = kCount * sizeof(int);
  simtGraphNode_t allocated, filled, copied, freed;
  REQUIRE_OK(simtGraphAddMemAllocNode(&allocated, own.graph, nullptr, 0, &memory));
  simtMemsetParams fill{memory.dptr, 0, 9, 4, kCount, 1};
  REQUIRE_OK(simtGraphAddMemsetNode(&filled, own.graph, &allocated, 1, &fill));
  REQUIRE_OK(simtGraphAddMemcpyNode1D(&copied, own.graph, &filled, 1, out.data(), memory.dptr,
                                      memory.bytesize, simtMemcpyDeviceToHost));
  REQUIRE_OK(simtGraphAddMemFreeNode(&freed, own.graph, &copied, 1, memory.dptr));
  own.run();
  own.run();
  CHECK_EQ(out, repeated(9));
}

TEST_CASE("nodes with invalid arguments") {
  Graph own, other;
  const DeviceArray<int> values(kCount);
  simtGraphNode_t node = nullptr;
  Call call(add, values.data(), 1);
  const auto foreign = add_kernel(other.graph, call);
  CHECK_EQ(simtGraphAddKernelNode(&node, own.graph, &foreign, 1, &call.params),
           simtErrorInvalidValue);
  call.params.blockDim = 5000;
  CHECK_EQ(simtGraphAddKernelNode(&node, own.graph, nullptr, 0, &call.params),
           simtErrorInvalidValue);
  simtMemsetParams fill{values.data(), 0, 0, 3, 1, 1};
  CHECK_EQ(simtGraphAddMemsetNode(&node, own.graph, nullptr, 0, &fill), simtErrorInvalidValue);
  CHECK_EQ(simtGraphHostNodeGetParams(foreign, nullptr), simtErrorInvalidValue);
  std::size_t count = 0;
  REQUIRE_OK(simtGraphGetNodes(own.graph, nullptr, &count));
  CHECK_EQ(count, 0u);
  simtGetLastError();
}

}  // namespace
