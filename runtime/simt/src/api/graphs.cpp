// simtGraph* and the capture of streams.
#include "api/call.h"

#include "streams/graph.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

using namespace simtrt;

namespace {

// Handle of a graph. A graph into which a stream was captured may have its handle already.
simtGraph_t publish(std::shared_ptr<SIMTgraph_st> graph) {
  const simtGraph_t handle = graph.get();
  graph_handles().add(handle, std::move(graph));
  return handle;
}

template <class WorkOfCall>
simtError_t with_graph(simtGraph_t handle, WorkOfCall work) {
  return call_in_any_state([&] {
    const auto graph = find_graph(handle);
    return graph == nullptr ? simtErrorInvalidValue : work(*graph);
  });
}

// CUDA's protocol for lists. If the pointer is null, the call returns the list's length; otherwise
// it writes as many items as fit.
template <class Select>
simtError_t list_nodes(const SIMTgraph_st& graph, simtGraphNode_t* nodes, std::size_t* count,
                       Select select) {
  if (count == nullptr) return simtErrorInvalidValue;
  std::size_t found = 0;
  for (const auto& node : graph.nodes) {
    if (!select(*node)) continue;
    if (nodes != nullptr && found < *count) nodes[found] = node.get();
    ++found;
  }
  if (nodes != nullptr) {
    for (std::size_t rest = found; rest < *count; ++rest) nodes[rest] = nullptr;
  }
  if (nodes == nullptr || found < *count) *count = found;
  return simtSuccess;
}

// The bodies of conditional nodes belong to their graph.
void remove_handles_of_bodies(const SIMTgraph_st& graph) {
  for (const auto& node : graph.nodes) {
    if (node->conditional == nullptr) continue;
    for (const simtGraph_t body : node->conditional->handles) {
      if (const auto removed = graph_handles().remove(body)) remove_handles_of_bodies(*removed);
    }
  }
}

const char* name_of(simtGraphNodeType type) {
  switch (type) {
    case simtGraphNodeTypeKernel: return "kernel";
    case simtGraphNodeTypeMemcpy: return "memcpy";
    case simtGraphNodeTypeMemset: return "memset";
    case simtGraphNodeTypeHost: return "host";
    case simtGraphNodeTypeGraph: return "graph";
    case simtGraphNodeTypeEmpty: return "empty";
    case simtGraphNodeTypeWaitEvent: return "wait for event";
    case simtGraphNodeTypeEventRecord: return "event record";
    case simtGraphNodeTypeMemAlloc: return "allocation";
    case simtGraphNodeTypeMemFree: return "free";
    case simtGraphNodeTypeConditional: return "conditional";
    default: return "node";
  }
}

}  // namespace

simtError_t simtStreamBeginCapture(simtStream_t handle, simtStreamCaptureMode mode) {
  return with_stream(handle, [&](const auto& stream) {
    return mode < simtStreamCaptureModeGlobal || mode > simtStreamCaptureModeRelaxed
               ? simtErrorInvalidValue
               : begin_capture(stream, mode, std::make_shared<SIMTgraph_st>(), {});
  });
}

simtError_t simtStreamEndCapture(simtStream_t handle, simtGraph_t* graph) {
  return with_stream(handle, [&](const auto& stream) {
    if (graph != nullptr) *graph = nullptr;
    std::shared_ptr<SIMTgraph_st> captured;
    const simtError_t error = end_capture(stream, &captured);
    if (error == simtSuccess && graph != nullptr) *graph = publish(std::move(captured));
    return error;
  });
}

simtError_t simtStreamIsCapturing(simtStream_t handle, simtStreamCaptureStatus* status) {
  return simtStreamGetCaptureInfo(handle, status);
}

simtError_t simtStreamGetCaptureInfo(simtStream_t handle, simtStreamCaptureStatus* status,
                                     unsigned long long* id, simtGraph_t* graph,
                                     const simtGraphNode_t** nodes, std::size_t* count) {
  return with_stream(handle, [&](const auto& stream) {
    if (status == nullptr) return simtErrorInvalidValue;
    *status = simtStreamCaptureStatusNone;
    if (captures_going_on().load() == 0) return simtSuccess;
    if (const simtError_t error = check_implicit_wait(stream)) {
      *status = simtStreamCaptureStatusActive;
      return error;
    }
    const std::lock_guard lock(capture_mutex());
    const auto& capture = stream->capture;
    if (capture == nullptr) return simtSuccess;
    *status =
        capture->invalidated ? simtStreamCaptureStatusInvalidated : simtStreamCaptureStatusActive;
    if (id != nullptr) *id = capture->id;
    if (graph != nullptr) *graph = capture->graph.get();
    if (nodes != nullptr || count != nullptr) {
      // The returned list remains valid until the next call for the stream, as in CUDA.
      thread_local std::vector<simtGraphNode_t> tail;
      tail.clear();
      for (const std::size_t node : stream->capture_tail)
        tail.push_back(capture->graph->nodes[node].get());
      if (nodes != nullptr) *nodes = tail.data();
      if (count != nullptr) *count = tail.size();
    }
    return simtSuccess;
  });
}

simtError_t simtThreadExchangeStreamCaptureMode(simtStreamCaptureMode* mode) {
  return call_in_any_state([&] {
    if (mode == nullptr || *mode < simtStreamCaptureModeGlobal ||
        *mode > simtStreamCaptureModeRelaxed) {
      return simtErrorInvalidValue;
    }
    *mode = exchange_thread_mode(*mode);
    return simtSuccess;
  });
}

simtError_t simtGraphCreate(simtGraph_t* graph, unsigned flags) {
  return call_in_any_state([&] {
    if (graph == nullptr || flags != 0) return simtErrorInvalidValue;
    *graph = publish(std::make_shared<SIMTgraph_st>());
    return simtSuccess;
  });
}

simtError_t simtGraphClone(simtGraph_t* clone, simtGraph_t original) {
  return with_graph(original, [&](const SIMTgraph_st& graph) {
    if (clone == nullptr) return simtErrorInvalidValue;
    auto copy = std::make_shared<SIMTgraph_st>();
    // CUDA Runtime API, cudaGraphAddMemAllocNode and cudaGraphAddNode: a graph with memory nodes or
    // conditional nodes cannot be cloned.
    if (graph.has_memory_nodes() || graph.has_conditional_nodes()) return simtErrorNotSupported;
    copy->objects = graph.objects;
    for (const auto& node : graph.nodes) {
      SIMTgraphNode_st copied = *node;
      copied.origin = node.get();
      copy->add(std::move(copied));
    }
    *clone = publish(std::move(copy));
    return simtSuccess;
  });
}

simtError_t simtGraphDestroy(simtGraph_t graph) {
  return call_in_any_state([&] {
    const auto removed = graph_handles().remove(graph);
    if (removed == nullptr) return simtErrorInvalidValue;
    remove_handles_of_bodies(*removed);
    return simtSuccess;
  });
}

simtError_t simtGraphGetNodes(simtGraph_t handle, simtGraphNode_t* nodes, std::size_t* count) {
  return with_graph(handle, [&](const SIMTgraph_st& graph) {
    return list_nodes(graph, nodes, count, [](const auto&) { return true; });
  });
}

simtError_t simtGraphGetRootNodes(simtGraph_t handle, simtGraphNode_t* nodes, std::size_t* count) {
  return with_graph(handle, [&](const SIMTgraph_st& graph) {
    return list_nodes(graph, nodes, count, [](const auto& node) { return node.after.empty(); });
  });
}

simtError_t simtGraphGetEdges(simtGraph_t handle, simtGraphNode_t* from, simtGraphNode_t* to,
                              std::size_t* count) {
  return with_graph(handle, [&](const SIMTgraph_st& graph) {
    if (count == nullptr || (from == nullptr) != (to == nullptr)) return simtErrorInvalidValue;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
      for (const std::size_t before : graph.nodes[node]->after) edges.emplace_back(before, node);
    }
    std::sort(edges.begin(), edges.end());  // CUDA lists the edges by their first node
    for (std::size_t i = 0; from != nullptr && i < edges.size() && i < *count; ++i) {
      from[i] = graph.nodes[edges[i].first].get();
      to[i] = graph.nodes[edges[i].second].get();
    }
    *count = from == nullptr ? edges.size() : std::min(*count, edges.size());
    return simtSuccess;
  });
}

simtError_t simtGraphNodeGetType(simtGraphNode_t node, simtGraphNodeType* type) {
  return call_in_any_state([&] {
    if (type == nullptr) return simtErrorInvalidValue;
    const std::lock_guard lock(capture_mutex());
    if (graph_of_node(node) == nullptr) return simtErrorInvalidValue;
    *type = node->type;
    return simtSuccess;
  });
}

simtError_t simtGraphDebugDotPrint(simtGraph_t handle, const char* path, unsigned) {
  return with_graph(handle, [&](const SIMTgraph_st& graph) {
    if (path == nullptr) return simtErrorInvalidValue;
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) return simtErrorOperatingSystem;
    std::fputs("digraph simt {\n", file);
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
      const SIMTgraphNode_st& node = *graph.nodes[index];
      const auto* kernel =
          node.work == nullptr ? nullptr : std::get_if<KernelWork>(node.work.get());
      std::fprintf(file, "  n%zu [label=\"%zu: %s %s\"];\n", index, index, name_of(node.type),
                   kernel != nullptr ? kernel->kernel->site.kernel : "");
      for (const std::size_t before : node.after)
        std::fprintf(file, "  n%zu -> n%zu;\n", before, index);
    }
    std::fputs("}\n", file);
    return std::fclose(file) == 0 ? simtSuccess : simtErrorOperatingSystem;
  });
}

simtError_t simtGraphInstantiateWithFlags(simtGraphExec_t* handle, simtGraph_t graph_handle,
                                          unsigned long long flags) {
  return with_graph(graph_handle, [&](SIMTgraph_st& graph) {
    constexpr unsigned long long known =
        simtGraphInstantiateFlagAutoFreeOnLaunch | simtGraphInstantiateFlagUpload |
        simtGraphInstantiateFlagDeviceLaunch | simtGraphInstantiateFlagUseNodePriority;
    if (handle == nullptr || (flags & ~known) != 0) return simtErrorInvalidValue;
    // The flag Upload requires a stream, which only cudaGraphInstantiateWithParams receives.
    if ((flags & simtGraphInstantiateFlagUpload) != 0) return simtErrorInvalidValue;
    if ((flags & simtGraphInstantiateFlagDeviceLaunch) != 0) {
      return (flags & simtGraphInstantiateFlagAutoFreeOnLaunch) != 0 ? simtErrorInvalidValue
                                                                     : simtErrorNotSupported;
    }
    // CUDA Runtime API, cudaGraphAddMemAllocNode: a graph may have only one instantiation at a
    // time.
    if (const auto other = graph.exec.lock();
        other != nullptr && !other->destroyed && other->has_memory_nodes()) {
      return simtErrorNotSupported;
    }
    if (const simtError_t error = Device::current().sticky()) return error;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    auto exec = instantiate(graph);
    if (exec == nullptr) return simtErrorInvalidValue;
    exec->flags = flags;
    exec->frees_on_launch = (flags & simtGraphInstantiateFlagAutoFreeOnLaunch) != 0;
    graph.exec = exec;
    *handle = exec.get();
    graph_exec_handles().add(*handle, std::move(exec));
    return simtSuccess;
  });
}

simtError_t simtGraphInstantiate(simtGraphExec_t* exec, simtGraph_t graph,
                                 unsigned long long flags) {
  return simtGraphInstantiateWithFlags(exec, graph, flags);
}

simtError_t simtGraphExecDestroy(simtGraphExec_t handle) {
  return call_in_any_state([&] {
    const auto exec = graph_exec_handles().remove(handle);
    if (exec == nullptr) return simtErrorInvalidValue;
    exec->destroyed = true;
    return simtSuccess;
  });
}

simtError_t simtGraphUpload(simtGraphExec_t exec, simtStream_t handle) {
  return with_stream(handle, [&](const auto& stream) {
    if (graph_exec_handles().find(exec) == nullptr) return simtErrorInvalidValue;
    return forbid_in_capture(stream);
  });
}

simtError_t simtGraphLaunch(simtGraphExec_t handle, simtStream_t stream_handle) {
  return with_stream(stream_handle, [&](const auto& stream) {
    const auto exec = graph_exec_handles().find(handle);
    if (exec == nullptr) return simtErrorInvalidValue;
    const simtError_t error = forbid_in_capture(stream);
    return error != simtSuccess ? error : launch_graph(exec, stream);
  });
}
