// simtGraphAdd*Node, edges of graphs, and queries about nodes.
#include "api/call.h"
#include "api/node_work.h"

#include <algorithm>

using namespace simtrt;

namespace {

// Adds a node that `set` describes, after `count` nodes of the graph.
template <class Set>
simtError_t add_node(simtGraphNode_t* made, simtGraph_t handle, const simtGraphNode_t* after,
                     std::size_t count, Set set) {
  return call([&] {
    const auto graph = find_graph(handle);
    if (made == nullptr || graph == nullptr) return simtErrorInvalidValue;
    SIMTgraphNode_st node{simtGraphNodeTypeEmpty, {}, {}, {}, {}};
    if (!indices_of(*graph, after, count, &node.after)) return simtErrorInvalidValue;
    if (const simtError_t error = set(&node)) return error;
    *made = graph->nodes[graph->add(std::move(node))].get();
    return simtSuccess;
  });
}

// Finds the graph of a node and runs `work(graph, index)`.
template <class WorkOfCall>
simtError_t with_node(simtGraphNode_t node, WorkOfCall work) {
  return call([&] {
    const std::lock_guard lock(capture_mutex());
    const auto graph = graph_of_node(node);
    return graph == nullptr ? simtErrorInvalidValue : work(*graph, graph->index_of(node));
  });
}

// Changes edges; `change(list of predecessors, predecessor)` returns false for an invalid edge.
template <class Change>
simtError_t change_edges(simtGraph_t handle, const simtGraphNode_t* from,
                         const simtGraphNode_t* to, std::size_t count, Change change) {
  return call([&] {
    const auto graph = graph_handles().find(handle);
    if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
      return simtErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t first = graph->index_of(from[i]), last = graph->index_of(to[i]);
      if (std::max(first, last) == graph->nodes.size() || first == last ||
          !change(graph->nodes[last]->after, first)) {
        return simtErrorInvalidValue;
      }
    }
    return simtSuccess;
  });
}

simtError_t list(const SIMTgraph_st& graph, const std::vector<std::size_t>& found,
                 simtGraphNode_t* nodes, std::size_t* count) {
  if (count == nullptr) return simtErrorInvalidValue;
  for (std::size_t i = 0; nodes != nullptr && i < *count; ++i)
    nodes[i] = i < found.size() ? graph.nodes[found[i]].get() : nullptr;
  if (nodes == nullptr || found.size() < *count) *count = found.size();
  return simtSuccess;
}

}  // namespace

simtError_t simtGraphAddEmptyNode(simtGraphNode_t* node, simtGraph_t graph,
                                  const simtGraphNode_t* after, std::size_t count) {
  return add_node(node, graph, after, count, [](auto*) { return simtSuccess; });
}
simtError_t simtGraphAddKernelNode(simtGraphNode_t* node, simtGraph_t graph,
                                   const simtGraphNode_t* after, std::size_t count,
                                   const simtKernelNodeParams* params) {
  return add_node(node, graph, after, count, [=](auto* own) { return set_kernel(own, params); });
}
simtError_t simtGraphAddMemcpyNode(simtGraphNode_t* node, simtGraph_t graph,
                                   const simtGraphNode_t* after, std::size_t count,
                                   const simtMemcpy3DParms* params) {
  return add_node(node, graph, after, count, [=](auto* own) { return set_memcpy(own, params); });
}
simtError_t simtGraphAddMemcpyNode1D(simtGraphNode_t* node, simtGraph_t graph,
                                     const simtGraphNode_t* after, std::size_t count, void* to,
                                     const void* from, std::size_t size, simtMemcpyKind kind) {
  const simtMemcpy3DParms params = plain_copy(to, from, size, kind);
  return simtGraphAddMemcpyNode(node, graph, after, count, &params);
}
simtError_t simtGraphAddMemcpyNodeToSymbol(simtGraphNode_t* node, simtGraph_t graph,
                                           const simtGraphNode_t* after, std::size_t count,
                                           const void* symbol, const void* from, std::size_t size,
                                           std::size_t offset, simtMemcpyKind kind) {
  char* const to = static_cast<char*>(const_cast<void*>(symbol)) + offset;
  return simtGraphAddMemcpyNode1D(node, graph, after, count, to, from, size, kind);
}
simtError_t simtGraphAddMemcpyNodeFromSymbol(simtGraphNode_t* node, simtGraph_t graph,
                                             const simtGraphNode_t* after, std::size_t count,
                                             void* to, const void* symbol, std::size_t size,
                                             std::size_t offset, simtMemcpyKind kind) {
  const char* const from = static_cast<const char*>(symbol) + offset;
  return simtGraphAddMemcpyNode1D(node, graph, after, count, to, from, size, kind);
}
simtError_t simtGraphAddMemsetNode(simtGraphNode_t* node, simtGraph_t graph,
                                   const simtGraphNode_t* after, std::size_t count,
                                   const simtMemsetParams* params) {
  return add_node(node, graph, after, count, [=](auto* own) { return set_memset(own, params); });
}
simtError_t simtGraphAddHostNode(simtGraphNode_t* node, simtGraph_t graph,
                                 const simtGraphNode_t* after, std::size_t count,
                                 const simtHostNodeParams* params) {
  return add_node(node, graph, after, count, [=](auto* own) { return set_host(own, params); });
}
simtError_t simtGraphAddChildGraphNode(simtGraphNode_t* node, simtGraph_t graph,
                                       const simtGraphNode_t* after, std::size_t count,
                                       simtGraph_t child) {
  return add_node(node, graph, after, count, [=](auto* own) { return set_child(own, child); });
}
simtError_t simtGraphAddEventRecordNode(simtGraphNode_t* node, simtGraph_t graph,
                                        const simtGraphNode_t* after, std::size_t count,
                                        simtEvent_t event) {
  return add_node(node, graph, after, count, [=](auto* own) {
    return set_event(own, simtGraphNodeTypeEventRecord, event);
  });
}
simtError_t simtGraphAddEventWaitNode(simtGraphNode_t* node, simtGraph_t graph,
                                      const simtGraphNode_t* after, std::size_t count,
                                      simtEvent_t event) {
  return add_node(node, graph, after, count, [=](auto* own) {
    return set_event(own, simtGraphNodeTypeWaitEvent, event);
  });
}
simtError_t simtGraphAddMemAllocNode(simtGraphNode_t* node, simtGraph_t graph,
                                     const simtGraphNode_t* after, std::size_t count,
                                     simtMemAllocNodeParams* params) {
  return add_node(node, graph, after, count, [=](auto* own) {
    if (params == nullptr || params->bytesize == 0 ||
        params->poolProps.location.type != simtMemLocationTypeDevice ||
        Device::get(params->poolProps.location.id) == nullptr) {
      return simtErrorInvalidValue;
    }
    const simtError_t error = GraphMemory::allocate(params->poolProps.location.id,
                                                    params->bytesize, &own->memory);
    if (error != simtSuccess) return error;
    own->type = simtGraphNodeTypeMemAlloc;
    params->dptr = own->memory->begin;
    return simtSuccess;
  });
}
simtError_t simtGraphAddMemFreeNode(simtGraphNode_t* node, simtGraph_t graph,
                                    const simtGraphNode_t* after, std::size_t count,
                                    void* pointer) {
  return add_node(node, graph, after, count, [=](auto* own) {
    own->type = simtGraphNodeTypeMemFree;
    own->memory = GraphMemory::find(pointer);
    // Memory has at most one free node, in whichever graph.
    return own->memory == nullptr || !own->memory->take_free_node() ? simtErrorInvalidValue
                                                                    : simtSuccess;
  });
}

simtError_t simtGraphAddDependencies(simtGraph_t graph, const simtGraphNode_t* from,
                                     const simtGraphNode_t* to, std::size_t count) {
  return change_edges(graph, from, to, count, [](auto& after, std::size_t first) {
    if (std::find(after.begin(), after.end(), first) != after.end()) return false;
    after.push_back(first);
    return true;
  });
}
simtError_t simtGraphRemoveDependencies(simtGraph_t graph, const simtGraphNode_t* from,
                                        const simtGraphNode_t* to, std::size_t count) {
  return change_edges(graph, from, to, count, [](auto& after, std::size_t first) {
    const auto edge = std::find(after.begin(), after.end(), first);
    if (edge == after.end()) return false;
    after.erase(edge);
    return true;
  });
}

simtError_t simtGraphNodeGetDependencies(simtGraphNode_t node, simtGraphNode_t* nodes,
                                         std::size_t* count) {
  return with_node(node, [&](const SIMTgraph_st& graph, std::size_t index) {
    return list(graph, graph.nodes[index]->after, nodes, count);
  });
}
simtError_t simtGraphNodeGetDependentNodes(simtGraphNode_t node, simtGraphNode_t* nodes,
                                           std::size_t* count) {
  return with_node(node, [&](const SIMTgraph_st& graph, std::size_t index) {
    std::vector<std::size_t> found;
    for (std::size_t other = 0; other < graph.nodes.size(); ++other) {
      const auto& after = graph.nodes[other]->after;
      if (std::find(after.begin(), after.end(), index) != after.end()) found.push_back(other);
    }
    return list(graph, found, nodes, count);
  });
}

simtError_t simtGraphDestroyNode(simtGraphNode_t node) {
  return with_node(node, [&](SIMTgraph_st& graph, std::size_t index) {
    const simtGraphNodeType type = node->type;
    if (type == simtGraphNodeTypeMemAlloc || type == simtGraphNodeTypeMemFree)
      return simtErrorNotSupported;
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(index));
    for (const auto& other : graph.nodes) {
      auto& after = other->after;
      after.erase(std::remove(after.begin(), after.end(), index), after.end());
      for (std::size_t& before : after) before -= before > index;
    }
    return simtSuccess;
  });
}

simtError_t simtGraphNodeFindInClone(simtGraphNode_t* found, simtGraphNode_t original,
                                     simtGraph_t clone) {
  return call([&] {
    const auto graph = graph_handles().find(clone);
    if (found == nullptr || original == nullptr || graph == nullptr) return simtErrorInvalidValue;
    const auto copy = std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                   [=](const auto& node) { return node->origin == original; });
    if (copy == graph->nodes.end()) return simtErrorInvalidValue;
    *found = copy->get();
    return simtSuccess;
  });
}

simtError_t simtGraphChildGraphNodeGetGraph(simtGraphNode_t node, simtGraph_t* graph) {
  return with_node(node, [&](const SIMTgraph_st&, std::size_t) {
    if (graph == nullptr || node->graph == nullptr) return simtErrorInvalidValue;
    *graph = node->graph.get();
    return simtSuccess;
  });
}
