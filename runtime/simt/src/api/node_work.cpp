#include "api/node_work.h"

#include "memory/memory.h"
#include "streams/event.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace simtrt {
namespace {

// Performs an API call that submits work to a stream, and takes the work for the node.
template <class Submit>
simtError_t take_work(SIMTgraphNode_st* node, simtGraphNodeType type, Submit submit) {
  WorkSink sink;
  const simtError_t error = submit();
  if (error != simtSuccess) return error;
  node->type = type;
  node->work = std::move(sink.work);
  return simtSuccess;
}

template <class T>
void fill_rows(const simtMemsetParams& to) {
  for (std::size_t row = 0; row < to.height; ++row) {
    T* const begin = reinterpret_cast<T*>(static_cast<char*>(to.dst) + row * to.pitch);
    for (std::size_t i = 0; i < to.width; ++i) begin[i] = static_cast<T>(to.value);
  }
}

void fill(const simtMemsetParams& to) {
  switch (to.elementSize) {
    case 1: return fill_rows<unsigned char>(to);
    case 2: return fill_rows<unsigned short>(to);
    default: return fill_rows<unsigned>(to);
  }
}

std::shared_ptr<SIMTgraph_st> copy_of(const SIMTgraph_st& graph) {
  auto copy = std::make_shared<SIMTgraph_st>();
  copy->objects = graph.objects;
  for (const auto& node : graph.nodes) {
    SIMTgraphNode_st copied = *node;
    copied.origin = node.get();
    copy->add(std::move(copied));
  }
  return copy;
}

// Variable of the graph, or of a graph around it; null for other handles.
std::shared_ptr<Condition> find_condition(std::shared_ptr<SIMTgraph_st> graph,
                                          simtGraphConditionalHandle handle) {
  for (; graph != nullptr; graph = graph->outer.lock()) {
    for (const auto& condition : graph->conditions)
      if (condition->handle() == handle) return condition;
  }
  return nullptr;
}

}  // namespace

simtError_t set_kernel(SIMTgraphNode_st* node, const simtKernelNodeParams* params) {
  if (params == nullptr || params->extra != nullptr) return simtErrorInvalidValue;
  const std::size_t* sizes = argument_sizes(params->func);
  auto own = std::make_shared<KernelNode>();
  own->params = *params;
  for (std::size_t i = 0; sizes != nullptr && sizes[i] != 0; ++i) {
    if (params->kernelParams == nullptr) return simtErrorInvalidValue;
    const char* value = static_cast<const char*>(params->kernelParams[i]);
    own->values.emplace_back(value, value + sizes[i]);
  }
  for (auto& value : own->values) own->addresses.push_back(value.data());
  own->params.kernelParams = own->addresses.data();
  const simtError_t error = take_work(node, simtGraphNodeTypeKernel, [&] {
    return simtLaunchKernel(static_cast<const void*>(params->func), params->gridDim,
                            params->blockDim, own->params.kernelParams, params->sharedMemBytes,
                            nullptr);
  });
  if (error == simtSuccess) node->params = std::move(own);
  // The driver, which makes nodes, has no error of its own for configurations.
  return error == simtErrorInvalidConfiguration ? simtErrorInvalidValue : error;
}

simtError_t set_memcpy(SIMTgraphNode_st* node, const simtMemcpy3DParms* params) {
  // Graphs have no copies of 0 bytes.
  if (params == nullptr || params->extent.width == 0 || params->extent.height == 0 ||
      params->extent.depth == 0) {
    return simtErrorInvalidValue;
  }
  const simtError_t error = take_work(node, simtGraphNodeTypeMemcpy,
                                      [&] { return simtMemcpy3DAsync(params, nullptr); });
  if (error == simtSuccess) node->params = *params;
  return error;
}

simtError_t set_memset(SIMTgraphNode_st* node, const simtMemsetParams* params) {
  if (params == nullptr) return simtErrorInvalidValue;
  const simtMemsetParams to = *params;
  const std::size_t row = to.width * to.elementSize;
  if ((to.elementSize != 1 && to.elementSize != 2 && to.elementSize != 4) || row == 0 ||
      to.height == 0 || (to.height > 1 && to.pitch < row) ||
      reinterpret_cast<std::uintptr_t>(to.dst) % to.elementSize != 0 ||
      !is_on_side(to.dst, (to.height - 1) * to.pitch + row, /*device=*/true)) {
    return simtErrorInvalidValue;
  }
  node->type = simtGraphNodeTypeMemset;
  node->work = std::make_shared<const Work>(TaskWork{"simtMemset", [to] { fill(to); }});
  node->params = to;
  return simtSuccess;
}

simtError_t set_host(SIMTgraphNode_st* node, const simtHostNodeParams* params) {
  if (params == nullptr) return simtErrorInvalidValue;
  const simtError_t error = take_work(node, simtGraphNodeTypeHost, [&] {
    return simtLaunchHostFunc(nullptr, params->fn, params->userData);
  });
  if (error == simtSuccess) node->params = *params;
  return error;
}

simtError_t set_child(SIMTgraphNode_st* node, simtGraph_t child) {
  const auto graph = graph_handles().find(child);
  // CUDA Runtime API, cudaGraphAddChildGraphNode: no memory nodes or conditional nodes; the node has its own copy.
  if (graph == nullptr) return simtErrorInvalidValue;
  if (graph->has_memory_nodes() || graph->has_conditional_nodes()) return simtErrorNotSupported;
  node->type = simtGraphNodeTypeGraph;
  node->graph = copy_of(*graph);
  node->child = instantiate(*node->graph);
  if (node->child == nullptr) return simtErrorInvalidValue;
  graph_handles().add(node->graph.get(), node->graph);
  return simtSuccess;
}

simtError_t set_event(SIMTgraphNode_st* node, simtGraphNodeType type, simtEvent_t handle) {
  auto event = event_handles().find(handle);
  if (event == nullptr) return simtErrorInvalidValue;
  node->type = type;
  node->event = std::move(event);
  return simtSuccess;
}

simtError_t set_conditional(SIMTgraphNode_st* node, const std::shared_ptr<SIMTgraph_st>& graph,
                            simtConditionalNodeParams* params) {
  const bool is_known = params->type >= simtGraphCondTypeIf && params->type <= simtGraphCondTypeSwitch;
  const unsigned most = params->type == simtGraphCondTypeIf ? 2 : 1;
  if (!is_known || params->size == 0 ||
      (params->type != simtGraphCondTypeSwitch && params->size > most)) {
    return simtErrorInvalidValue;
  }
  const std::shared_ptr<Condition> condition = find_condition(graph, params->handle);
  if (condition == nullptr || std::exchange(condition->has_node, true))
    return simtErrorInvalidValue;
  auto conditional = std::make_shared<Conditional>();
  conditional->condition = condition;
  conditional->type = params->type;
  for (unsigned i = 0; i < params->size; ++i) {
    auto body = std::make_shared<SIMTgraph_st>();
    body->outer = graph;
    conditional->handles.push_back(body.get());
    graph_handles().add(body.get(), body);
    conditional->bodies.push_back(std::move(body));
  }
  params->phGraph_out = conditional->handles.data();
  node->type = simtGraphNodeTypeConditional;
  node->conditional = std::move(conditional);
  return simtSuccess;
}

bool indices_of(const SIMTgraph_st& graph, const simtGraphNode_t* nodes, std::size_t count,
                std::vector<std::size_t>* indices) {
  if (nodes == nullptr && count != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = graph.index_of(nodes[i]);
    const bool repeated = std::find(indices->begin(), indices->end(), index) != indices->end();
    if (index == graph.nodes.size() || repeated) return false;
    indices->push_back(index);
  }
  return true;
}

simtMemcpy3DParms plain_copy(void* to, const void* from, std::size_t size, simtMemcpyKind kind) {
  simtMemcpy3DParms copy{};
  copy.srcPtr = make_simtPitchedPtr(const_cast<void*>(from), 0, 0, 0);
  copy.dstPtr = make_simtPitchedPtr(to, 0, 0, 0);
  copy.extent = make_simtExtent(size, 1, 1);
  copy.kind = kind;
  return copy;
}

}  // namespace simtrt
