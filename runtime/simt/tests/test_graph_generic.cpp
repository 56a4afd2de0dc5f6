// Nodes of any type, captures into existing graphs, and memory of graphs. CUDA Runtime API, "Graph Management".
#include "kernel_test.h"

#include <chrono>
#include <thread>
#include <vector>

namespace {

__global__ void add(int* value, int term) {
  SIMT_KERNEL(add);
  atomicAdd(value, term);
}

simtGraphNodeParams node_of(simtGraphNodeType type) {
  simtGraphNodeParams params{};
  params.type = type;
  return params;
}

simtGraphNodeParams kernel_params(void** arguments) {
  simtGraphNodeParams params = node_of(simtGraphNodeTypeKernel);
  params.kernel.func = reinterpret_cast<void*>(add);
  params.kernel.gridDim = params.kernel.blockDim = 1;
  params.kernel.kernelParams = arguments;
  return params;
}

void launch_once(simtGraph_t graph) {
  simtGraphExec_t exec;
  REQUIRE_OK(simtGraphInstantiate(&exec, graph));
  REQUIRE_OK(simtGraphLaunch(exec, nullptr));
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK_OK(simtGraphExecDestroy(exec));
}

}  // namespace

TEST_CASE("simtGraphAddNode adds nodes of each type") {
  DeviceArray<int> values(std::vector<int>(1));
  int* value = values.data();
  int term = 2;
  int from = 40;
  simtEvent_t event;
  REQUIRE_OK(simtEventCreate(&event));
  simtGraph_t graph, child;
  REQUIRE_OK(simtGraphCreate(&graph, 0));
  REQUIRE_OK(simtGraphCreate(&child, 0));
  void* arguments[] = {&value, &term};
  simtGraphNodeParams kernel = kernel_params(arguments);
  simtGraphNode_t inner;
  REQUIRE_OK(simtGraphAddNode(&inner, child, nullptr, 0, &kernel));

  std::vector<simtGraphNodeParams> all;
  simtGraphNodeParams copy = node_of(simtGraphNodeTypeMemcpy);
  copy.memcpy.copyParams.srcPtr = make_simtPitchedPtr(&from, 0, 0, 0);
  copy.memcpy.copyParams.dstPtr = make_simtPitchedPtr(value, 0, 0, 0);
  copy.memcpy.copyParams.extent = make_simtExtent(sizeof(int), 1, 1);
  copy.memcpy.copyParams.kind = simtMemcpyHostToDevice;
  simtGraphNodeParams fill = node_of(simtGraphNodeTypeMemset);
  fill.memset = {value, 0, 0, 4, 1, 1};
  simtGraphNodeParams host = node_of(simtGraphNodeTypeHost);
  int calls = 0;
  host.host = {[](void* data) { ++*static_cast<int*>(data); }, &calls};
  simtGraphNodeParams inside = node_of(simtGraphNodeTypeGraph);
  inside.graph.graph = child;
  simtGraphNodeParams record = node_of(simtGraphNodeTypeEventRecord), wait = node_of(simtGraphNodeTypeWaitEvent);
  record.eventRecord.event = wait.eventWait.event = event;
  simtGraphNodeParams empty = node_of(simtGraphNodeTypeEmpty);
  simtGraphNode_t last = nullptr;
  for (simtGraphNodeParams* params : {&fill, &copy, &inside, &record, &wait, &empty, &host, &kernel}) {
    simtGraphNode_t node;
    CHECK_OK(simtGraphAddNode(&node, graph, &last, last != nullptr, params));
    simtGraphNodeType type;
    CHECK_OK(simtGraphNodeGetType(node, &type));
    CHECK(type == params->type);
    last = node;
  }
  launch_once(graph);
  CHECK(values.values()[0] == 44);
  CHECK(calls == 1);

  term = 5;
  CHECK_OK(simtGraphNodeSetParams(last, &kernel));
  launch_once(graph);
  CHECK(values.values()[0] == 47);
  CHECK(simtGraphNodeSetParams(last, &fill) == simtErrorInvalidValue);
  CHECK(simtGraphNodeSetParams(last, &empty) == simtErrorInvalidValue);

  simtGraphExec_t exec;
  REQUIRE_OK(simtGraphInstantiate(&exec, graph));
  term = 10;
  CHECK_OK(simtGraphExecNodeSetParams(exec, last, &kernel));
  REQUIRE_OK(simtGraphLaunch(exec, nullptr));
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK(values.values()[0] == 52);
  CHECK(simtGraphExecNodeSetParams(exec, last, nullptr) == simtErrorInvalidValue);
  CHECK_OK(simtGraphExecDestroy(exec));
  CHECK_OK(simtGraphDestroy(graph));
  CHECK_OK(simtGraphDestroy(child));
  CHECK_OK(simtEventDestroy(event));
  simtGetLastError();
}

TEST_CASE("simtGraphAddNode adds allocations and frees, which the memory attributes count") {
  simtGraph_t graph;
  REQUIRE_OK(simtGraphCreate(&graph, 0));
  unsigned long long before = 0, bytes = 0, zero = 0;
  REQUIRE_OK(simtDeviceSetGraphMemAttribute(0, simtGraphMemAttrUsedMemHigh, &zero));
  REQUIRE_OK(simtDeviceGetGraphMemAttribute(0, simtGraphMemAttrUsedMemCurrent, &before));
  simtGraphNodeParams allocation = node_of(simtGraphNodeTypeMemAlloc);
  allocation.alloc.bytesize = 4096;
  allocation.alloc.poolProps.location = {simtMemLocationTypeDevice, 0};
  simtGraphNode_t node, freeing;
  REQUIRE_OK(simtGraphAddNode(&node, graph, nullptr, 0, &allocation));
  simtGraphNodeParams free = node_of(simtGraphNodeTypeMemFree);
  free.free.dptr = allocation.alloc.dptr;
  REQUIRE_OK(simtGraphAddNode(&freeing, graph, &node, 1, &free));
  launch_once(graph);
  CHECK_OK(simtDeviceGetGraphMemAttribute(0, simtGraphMemAttrReservedMemCurrent, &bytes));
  CHECK(bytes == before + 4096);
  CHECK_OK(simtGraphDestroy(graph));
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK_OK(simtDeviceGraphMemTrim(0));
  // The thread that has executed the work drops its reference to the memory soon after the work counts as complete.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  do {
    CHECK_OK(simtDeviceGetGraphMemAttribute(0, simtGraphMemAttrUsedMemCurrent, &bytes));
  } while (bytes != before && std::chrono::steady_clock::now() < end);
  CHECK(bytes == before);
  CHECK_OK(simtDeviceGetGraphMemAttribute(0, simtGraphMemAttrReservedMemHigh, &bytes));
  CHECK(bytes == before + 4096);
  CHECK_OK(simtDeviceSetGraphMemAttribute(0, simtGraphMemAttrReservedMemHigh, &zero));
  CHECK_OK(simtDeviceGetGraphMemAttribute(0, simtGraphMemAttrUsedMemHigh, &bytes));
  CHECK(bytes == before);

  CHECK(simtDeviceSetGraphMemAttribute(0, simtGraphMemAttrUsedMemCurrent, &zero) == simtErrorInvalidValue);
  unsigned long long one = 1;
  CHECK(simtDeviceSetGraphMemAttribute(0, simtGraphMemAttrUsedMemHigh, &one) == simtErrorInvalidValue);
  CHECK(simtDeviceGetGraphMemAttribute(0, simtGraphMemAttrUsedMemHigh, nullptr) == simtErrorInvalidValue);
  CHECK(simtDeviceGetGraphMemAttribute(99, simtGraphMemAttrUsedMemHigh, &one) == simtErrorInvalidDevice);
  CHECK(simtDeviceGraphMemTrim(-1) == simtErrorInvalidDevice);
  simtGetLastError();
}

TEST_CASE("a capture into an existing graph follows the given nodes") {
  DeviceArray<int> values(std::vector<int>(1));
  int* value = values.data();
  int term = 1;
  void* arguments[] = {&value, &term};
  simtGraphNodeParams kernel = kernel_params(arguments);
  simtGraph_t graph, same = nullptr;
  REQUIRE_OK(simtGraphCreate(&graph, 0));
  simtGraphNode_t first;
  REQUIRE_OK(simtGraphAddNode(&first, graph, nullptr, 0, &kernel));
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreate(&stream));
  REQUIRE_OK(simtStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, simtStreamCaptureModeGlobal));
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value, 10);
  REQUIRE_OK(simtStreamEndCapture(stream, &same));
  CHECK(same == graph);
  std::size_t count = 0;
  CHECK_OK(simtGraphGetEdges(graph, nullptr, nullptr, &count));
  CHECK(count == 1);
  launch_once(graph);
  CHECK(values.values()[0] == 11);

  simtGraphNode_t other = reinterpret_cast<simtGraphNode_t>(&count);
  CHECK(simtStreamBeginCaptureToGraph(stream, graph, &other, nullptr, 1, simtStreamCaptureModeGlobal) ==
        simtErrorInvalidValue);
  CHECK(simtStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, simtStreamCaptureModeGlobal) ==
        simtErrorInvalidValue);
  simtGraphEdgeData programmatic = {1, 0, simtGraphDependencyTypeProgrammatic, {}};
  CHECK(simtStreamBeginCaptureToGraph(stream, graph, &first, &programmatic, 1, simtStreamCaptureModeGlobal) ==
        simtErrorInvalidValue);
  CHECK_OK(simtGraphDestroy(graph));
  CHECK_OK(simtStreamDestroy(stream));
}

TEST_CASE("a node that is added during a capture precedes later work after the update of the dependencies") {
  DeviceArray<int> values(std::vector<int>(1));
  int* value = values.data();
  int term = 3;
  void* arguments[] = {&value, &term};
  simtGraphNodeParams kernel = kernel_params(arguments);
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreate(&stream));
  CHECK(simtStreamUpdateCaptureDependencies(stream, nullptr, 0, 0) == simtErrorIllegalState);
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeRelaxed));
  SIMT_LAUNCH((add), (1), (1), (0), (stream), value, 100);
  simtStreamCaptureStatus status;
  simtGraph_t graph;
  const simtGraphNode_t* before;
  const simtGraphEdgeData* edges;
  std::size_t count;
  REQUIRE_OK(simtStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &edges, &count));
  CHECK(count == 1);
  CHECK(edges == nullptr);
  simtGraphNode_t node, head = before[0];
  REQUIRE_OK(simtGraphAddNode(&node, graph, &head, nullptr, 1, &kernel));
  CHECK_OK(simtStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, simtStreamAddCaptureDependencies));
  REQUIRE_OK(simtStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &count));
  CHECK(count == 2);
  CHECK_OK(simtStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, simtStreamSetCaptureDependencies));
  REQUIRE_OK(simtStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &count));
  REQUIRE(count == 1);
  CHECK(before[0] == node);
  CHECK(simtStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, 2) == simtErrorInvalidValue);
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  launch_once(graph);
  CHECK(values.values()[0] == 103);
  CHECK_OK(simtGraphDestroy(graph));
  CHECK_OK(simtStreamDestroy(stream));
  simtGetLastError();
}

TEST_CASE("a user object lives as long as references of the program, of graphs and of executable graphs") {
  static int destroyed;
  destroyed = 0;
  const auto count = [](void* data) { *static_cast<int*>(data) += 1; };
  simtUserObject_t object;
  REQUIRE_OK(simtUserObjectCreate(&object, &destroyed, count, 1, simtUserObjectNoDestructorSync));
  CHECK_OK(simtUserObjectRetain(object));
  CHECK_OK(simtUserObjectRelease(object));
  simtGraph_t graph, clone;
  REQUIRE_OK(simtGraphCreate(&graph, 0));
  CHECK_OK(simtGraphRetainUserObject(graph, object, 1, simtGraphUserObjectMove));
  CHECK(simtUserObjectRelease(object) == simtErrorInvalidValue);
  REQUIRE_OK(simtGraphClone(&clone, graph));
  simtGraphExec_t exec;
  REQUIRE_OK(simtGraphInstantiate(&exec, graph));
  CHECK_OK(simtGraphReleaseUserObject(graph, object));
  CHECK(simtGraphReleaseUserObject(graph, object) == simtErrorInvalidValue);
  CHECK_OK(simtGraphDestroy(graph));
  CHECK_OK(simtGraphDestroy(clone));
  CHECK(destroyed == 0);
  REQUIRE_OK(simtGraphLaunch(exec, nullptr));
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK_OK(simtGraphExecDestroy(exec));
  for (int i = 0; i < 1000 && destroyed == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(destroyed == 1);

  REQUIRE_OK(simtUserObjectCreate(&object, &destroyed, count, 2, simtUserObjectNoDestructorSync));
  CHECK(simtUserObjectRelease(object, 3) == simtErrorInvalidValue);
  CHECK_OK(simtUserObjectRelease(object, 2));
  CHECK(destroyed == 2);
  CHECK(simtUserObjectCreate(&object, nullptr, count, 1, 0) == simtErrorInvalidValue);
  CHECK(simtUserObjectCreate(&object, nullptr, nullptr, 1, simtUserObjectNoDestructorSync) ==
        simtErrorInvalidValue);
  CHECK(simtUserObjectCreate(&object, nullptr, count, 0, simtUserObjectNoDestructorSync) ==
        simtErrorInvalidValue);
  simtGetLastError();
}
