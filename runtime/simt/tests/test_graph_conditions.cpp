// Conditional nodes of graphs. CUDA C++ Programming Guide, "Conditional Graph Nodes".
#include "kernel_test.h"

#include <vector>

namespace {

__global__ void set_condition(simtGraphConditionalHandle handle, const int* value) {
  SIMT_KERNEL(set_condition);
  simtGraphSetConditional(handle, static_cast<unsigned>(*value));
}

__global__ void count_run(int* log, int index) {
  SIMT_KERNEL(count_run);
  ++log[index];
}

__global__ void count_down(simtGraphConditionalHandle handle, int* value, int* runs) {
  SIMT_KERNEL(count_down);
  ++*runs;
  simtGraphSetConditional(handle, static_cast<unsigned>(--*value));
}

simtGraphNodeParams node_of(simtGraphNodeType type) {
  simtGraphNodeParams params{};
  params.type = type;
  return params;
}

template <class... Arguments>
simtGraphNode_t add_kernel(simtGraph_t graph, void (*kernel)(Arguments...), simtGraphNode_t after,
                           Arguments... arguments) {
  void* addresses[] = {&arguments...};
  simtGraphNodeParams params = node_of(simtGraphNodeTypeKernel);
  params.kernel.func = reinterpret_cast<void*>(kernel);
  params.kernel.gridDim = params.kernel.blockDim = 1;
  params.kernel.kernelParams = addresses;
  simtGraphNode_t node = nullptr;
  REQUIRE_OK(simtGraphAddNode(&node, graph, &after, after != nullptr, &params));
  return node;
}

simtGraphNodeParams conditional(simtGraphConditionalHandle handle, simtGraphConditionalNodeType type,
                                unsigned size) {
  simtGraphNodeParams params = node_of(simtGraphNodeTypeConditional);
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  return params;
}

/// Graph of a kernel that sets a variable to `*value`, and of a conditional node whose body i counts in `log[i]`.
struct Selection {
  simtGraph_t graph = nullptr;
  simtGraphExec_t exec = nullptr;
  DeviceArray<int> value{std::vector<int>(1)};
  DeviceArray<int> log{std::vector<int>(8)};

  Selection(simtGraphConditionalNodeType type, unsigned size) {
    simtGraphConditionalHandle handle;
    REQUIRE_OK(simtGraphCreate(&graph, 0));
    REQUIRE_OK(simtGraphConditionalHandleCreate(&handle, graph));
    const int* read = value.data();
    const simtGraphNode_t set = add_kernel(graph, set_condition, nullptr, handle, read);
    simtGraphNodeParams params = conditional(handle, type, size);
    simtGraphNode_t node;
    REQUIRE_OK(simtGraphAddNode(&node, graph, &set, 1, &params));
    for (unsigned i = 0; i < size; ++i)
      add_kernel(params.conditional.phGraph_out[i], count_run, nullptr, log.data(), static_cast<int>(i));
    add_kernel(graph, count_run, node, log.data(), 7);
    REQUIRE_OK(simtGraphInstantiate(&exec, graph));
  }
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;
  ~Selection() {
    simtGraphExecDestroy(exec);
    simtGraphDestroy(graph);
  }

  void run(int with) {
    REQUIRE_OK(simtMemcpy(value.data(), &with, sizeof with, simtMemcpyHostToDevice));
    REQUIRE_OK(simtGraphLaunch(exec, nullptr));
    REQUIRE_OK(simtDeviceSynchronize());
  }
};

}  // namespace

TEST_CASE("an IF node runs its body if the value is not 0") {
  Selection graph(simtGraphCondTypeIf, 1);
  graph.run(0);
  CHECK(graph.log.values() == std::vector<int>{0, 0, 0, 0, 0, 0, 0, 1});
  graph.run(5);
  graph.run(0);
  CHECK(graph.log.values() == std::vector<int>{1, 0, 0, 0, 0, 0, 0, 3});
}

TEST_CASE("an IF node with two bodies runs the second one if the value is 0") {
  Selection graph(simtGraphCondTypeIf, 2);
  graph.run(0);
  graph.run(1);
  graph.run(0);
  CHECK(graph.log.values() == std::vector<int>{1, 2, 0, 0, 0, 0, 0, 3});
}

TEST_CASE("a SWITCH node runs the body with the number, if there is one") {
  Selection graph(simtGraphCondTypeSwitch, 3);
  for (const int value : {0, 2, 3, 2, -1}) graph.run(value);
  CHECK(graph.log.values() == std::vector<int>{1, 0, 2, 0, 0, 0, 0, 5});
}

TEST_CASE("a WHILE node repeats its body, and a default value is assigned at each launch") {
  DeviceArray<int> values(std::vector<int>{0, 0});
  int* value = values.data();
  simtGraph_t graph;
  REQUIRE_OK(simtGraphCreate(&graph, 0));
  simtGraphConditionalHandle handle;
  REQUIRE_OK(simtGraphConditionalHandleCreate(&handle, graph, 1, simtGraphCondAssignDefault));
  simtGraphNodeParams params = conditional(handle, simtGraphCondTypeWhile, 1);
  simtGraphNode_t node;
  REQUIRE_OK(simtGraphAddNode(&node, graph, nullptr, 0, &params));
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreate(&stream));
  const simtGraph_t body = params.conditional.phGraph_out[0];
  REQUIRE_OK(simtStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, simtStreamCaptureModeGlobal));
  SIMT_LAUNCH((count_down), (1), (1), (0), (stream), handle, value, value + 1);
  REQUIRE_OK(simtStreamEndCapture(stream, nullptr));
  simtGraphExec_t exec;
  REQUIRE_OK(simtGraphInstantiate(&exec, graph));
  for (const int times : {100, 1, 7}) {
    REQUIRE_OK(simtMemcpy(value, &times, sizeof times, simtMemcpyHostToDevice));
    REQUIRE_OK(simtGraphLaunch(exec, stream));
    REQUIRE_OK(simtStreamSynchronize(stream));
  }
  CHECK(values.values() == std::vector<int>{0, 108});
  CHECK_OK(simtGraphExecDestroy(exec));
  CHECK_OK(simtGraphDestroy(graph));
  CHECK_OK(simtStreamDestroy(stream));
}

TEST_CASE("conditional nodes nest, and a body may read a variable of the graph around it") {
  DeviceArray<int> values(std::vector<int>{3, 0, 0});
  int* value = values.data();
  simtGraph_t graph;
  REQUIRE_OK(simtGraphCreate(&graph, 0));
  simtGraphConditionalHandle loop, inner;
  REQUIRE_OK(simtGraphConditionalHandleCreate(&loop, graph, 1, simtGraphCondAssignDefault));
  REQUIRE_OK(simtGraphConditionalHandleCreate(&inner, graph, 1, simtGraphCondAssignDefault));
  simtGraphNodeParams outer = conditional(loop, simtGraphCondTypeWhile, 1);
  simtGraphNode_t node;
  REQUIRE_OK(simtGraphAddNode(&node, graph, nullptr, 0, &outer));
  const simtGraph_t body = outer.conditional.phGraph_out[0];
  const simtGraphNode_t counts = add_kernel(body, count_down, nullptr, loop, value, value + 1);
  simtGraphNodeParams nested = conditional(inner, simtGraphCondTypeIf, 1);
  REQUIRE_OK(simtGraphAddNode(&node, body, &counts, 1, &nested));
  add_kernel(nested.conditional.phGraph_out[0], count_run, nullptr, value, 2);
  simtGraphExec_t exec;
  REQUIRE_OK(simtGraphInstantiate(&exec, graph));
  CHECK_OK(simtGraphDestroy(graph));
  REQUIRE_OK(simtGraphLaunch(exec, nullptr));
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK(values.values() == std::vector<int>{0, 3, 3});
  CHECK_OK(simtGraphExecDestroy(exec));
}

TEST_CASE("wrong conditional nodes") {
  simtGraph_t graph, other;
  REQUIRE_OK(simtGraphCreate(&graph, 0));
  REQUIRE_OK(simtGraphCreate(&other, 0));
  simtGraphConditionalHandle handle, foreign;
  REQUIRE_OK(simtGraphConditionalHandleCreate(&handle, graph));
  REQUIRE_OK(simtGraphConditionalHandleCreate(&foreign, other));
  CHECK(simtGraphConditionalHandleCreate(nullptr, graph) == simtErrorInvalidValue);
  CHECK(simtGraphConditionalHandleCreate(&handle, nullptr) == simtErrorInvalidValue);
  CHECK(simtGraphConditionalHandleCreate(&handle, graph, 0, 2) == simtErrorInvalidValue);
  simtGraphNode_t node;
  const auto result_of = [&](simtGraphNodeParams params) {
    return simtGraphAddNode(&node, graph, nullptr, 0, &params);
  };
  CHECK(result_of(conditional(foreign, simtGraphCondTypeIf, 1)) == simtErrorInvalidValue);
  CHECK(result_of(conditional(handle, simtGraphCondTypeIf, 0)) == simtErrorInvalidValue);
  CHECK(result_of(conditional(handle, simtGraphCondTypeIf, 3)) == simtErrorInvalidValue);
  CHECK(result_of(conditional(handle, simtGraphCondTypeWhile, 2)) == simtErrorInvalidValue);
  simtGraphNodeParams good = conditional(handle, simtGraphCondTypeIf, 1);
  CHECK_OK(simtGraphAddNode(&node, graph, nullptr, 0, &good));
  CHECK(result_of(conditional(handle, simtGraphCondTypeIf, 1)) == simtErrorInvalidValue);

  simtGraph_t clone;
  CHECK(simtGraphClone(&clone, graph) == simtErrorNotSupported);
  CHECK(simtGraphAddChildGraphNode(&node, other, nullptr, 0, graph) == simtErrorNotSupported);
  // A body must not contain host functions.
  const simtHostNodeParams host = {[](void*) {}, nullptr};
  CHECK_OK(simtGraphAddHostNode(&node, good.conditional.phGraph_out[0], nullptr, 0, &host));
  simtGraphExec_t exec;
  CHECK(simtGraphInstantiate(&exec, graph) == simtErrorInvalidValue);
  CHECK_OK(simtGraphDestroy(graph));
  CHECK_OK(simtGraphDestroy(other));
  simtGetLastError();
}
