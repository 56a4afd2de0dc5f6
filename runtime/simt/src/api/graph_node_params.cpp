// Parameters of nodes of graphs and of executable graphs, and simtGraphExecUpdate.
#include "api/call.h"
#include "api/node_work.h"
#include "memory/memory.h"

#include <algorithm>

using namespace simtrt;

namespace {

// Runs `work(node)` for a node of a graph with this type.
template <class WorkOfCall>
simtError_t with_node(simtGraphNode_t node, simtGraphNodeType type, WorkOfCall work) {
  return call([&] {
    const std::lock_guard lock(capture_mutex());
    return graph_of_node(node) == nullptr || node->type != type ? simtErrorInvalidValue
                                                                : work(node);
  });
}

// The same for the copy of the node in an executable graph.
template <class WorkOfCall>
simtError_t with_copy(simtGraphExec_t handle, simtGraphNode_t node, WorkOfCall work) {
  return call([&] {
    const auto exec = graph_exec_handles().find(handle);
    if (exec == nullptr || node == nullptr) return simtErrorInvalidValue;
    const std::lock_guard lock(exec->mutex);
    const auto copy = std::find_if(exec->nodes.begin(), exec->nodes.end(),
                                   [=](const auto& own) { return own.origin == node; });
    return copy == exec->nodes.end() ? simtErrorInvalidValue : work(&*copy);
  });
}
template <class WorkOfCall>
simtError_t with_copy(simtGraphExec_t exec, simtGraphNode_t node, simtGraphNodeType type,
                      WorkOfCall work) {
  return with_copy(exec, node, [&](SIMTgraphNode_st* copy) {
    return copy->type == type ? work(copy) : simtErrorInvalidValue;
  });
}

// A copy in an executable graph keeps the kinds of its memory (CUDA Runtime API,
// cudaGraphExecMemcpyNodeSetParams).
bool is_in_device(const void* pointer) {
  const auto found = MemoryMap::instance().find(pointer);
  return found && is_device_memory(found->kind);
}

template <class Params>
simtError_t get(simtGraphNode_t node, simtGraphNodeType type, Params* params) {
  return with_node(node, type, [&](const SIMTgraphNode_st* own) {
    const Params* stored = std::get_if<Params>(&own->params);
    if (params == nullptr || stored == nullptr) return simtErrorInvalidValue;
    *params = *stored;
    return simtSuccess;
  });
}

simtError_t get_event(simtGraphNode_t node, simtGraphNodeType type, simtEvent_t* event) {
  return with_node(node, type, [&](const SIMTgraphNode_st* own) {
    if (event == nullptr) return simtErrorInvalidValue;
    *event = own->event.get();
    return simtSuccess;
  });
}

simtError_t set_node_event(simtGraphNode_t node, simtGraphNodeType type, simtEvent_t event) {
  return with_node(node, type,
                   [&](SIMTgraphNode_st* own) { return set_event(own, type, event); });
}

bool can_be_disabled(simtGraphNodeType type) {
  return type == simtGraphNodeTypeKernel || type == simtGraphNodeTypeMemcpy ||
         type == simtGraphNodeTypeMemset;
}

simtError_t fail_update(simtGraphExecUpdateResultInfo* info, simtGraphExecUpdateResult result,
                        simtGraphNode_t node) {
  *info = {result, node, nullptr};
  return simtErrorGraphExecUpdateFailure;
}

}  // namespace

// The parameters of a captured kernel have no array of arguments.
simtError_t simtGraphKernelNodeGetParams(simtGraphNode_t node, simtKernelNodeParams* params) {
  return with_node(node, simtGraphNodeTypeKernel, [&](const SIMTgraphNode_st* own) {
    if (params == nullptr) return simtErrorInvalidValue;
    if (const auto* stored = std::get_if<std::shared_ptr<KernelNode>>(&own->params)) {
      *params = (*stored)->params;
      return simtSuccess;
    }
    const LaunchConfig& config = std::get<KernelWork>(*own->work).config;
    *params = {const_cast<void*>(config.kernel), config.grid, config.block,
               static_cast<unsigned>(config.shared_bytes), nullptr, nullptr};
    return simtSuccess;
  });
}
simtError_t simtGraphKernelNodeSetParams(simtGraphNode_t node, const simtKernelNodeParams* params) {
  return with_node(node, simtGraphNodeTypeKernel,
                   [&](SIMTgraphNode_st* own) { return set_kernel(own, params); });
}
simtError_t simtGraphMemcpyNodeGetParams(simtGraphNode_t node, simtMemcpy3DParms* params) {
  return get(node, simtGraphNodeTypeMemcpy, params);
}
simtError_t simtGraphMemcpyNodeSetParams(simtGraphNode_t node, const simtMemcpy3DParms* params) {
  return with_node(node, simtGraphNodeTypeMemcpy,
                   [&](SIMTgraphNode_st* own) { return set_memcpy(own, params); });
}
simtError_t simtGraphMemcpyNodeSetParams1D(simtGraphNode_t node, void* to, const void* from,
                                           std::size_t size, simtMemcpyKind kind) {
  const simtMemcpy3DParms params = plain_copy(to, from, size, kind);
  return simtGraphMemcpyNodeSetParams(node, &params);
}
simtError_t simtGraphMemsetNodeGetParams(simtGraphNode_t node, simtMemsetParams* params) {
  return get(node, simtGraphNodeTypeMemset, params);
}
simtError_t simtGraphMemsetNodeSetParams(simtGraphNode_t node, const simtMemsetParams* params) {
  return with_node(node, simtGraphNodeTypeMemset,
                   [&](SIMTgraphNode_st* own) { return set_memset(own, params); });
}
simtError_t simtGraphHostNodeGetParams(simtGraphNode_t node, simtHostNodeParams* params) {
  return get(node, simtGraphNodeTypeHost, params);
}
simtError_t simtGraphHostNodeSetParams(simtGraphNode_t node, const simtHostNodeParams* params) {
  return with_node(node, simtGraphNodeTypeHost,
                   [&](SIMTgraphNode_st* own) { return set_host(own, params); });
}
simtError_t simtGraphEventRecordNodeGetEvent(simtGraphNode_t node, simtEvent_t* event) {
  return get_event(node, simtGraphNodeTypeEventRecord, event);
}
simtError_t simtGraphEventRecordNodeSetEvent(simtGraphNode_t node, simtEvent_t event) {
  return set_node_event(node, simtGraphNodeTypeEventRecord, event);
}
simtError_t simtGraphEventWaitNodeGetEvent(simtGraphNode_t node, simtEvent_t* event) {
  return get_event(node, simtGraphNodeTypeWaitEvent, event);
}
simtError_t simtGraphEventWaitNodeSetEvent(simtGraphNode_t node, simtEvent_t event) {
  return set_node_event(node, simtGraphNodeTypeWaitEvent, event);
}

simtError_t simtGraphExecKernelNodeSetParams(simtGraphExec_t exec, simtGraphNode_t node,
                                             const simtKernelNodeParams* params) {
  return with_copy(exec, node, simtGraphNodeTypeKernel,
                   [&](SIMTgraphNode_st* own) { return set_kernel(own, params); });
}
simtError_t simtGraphExecMemcpyNodeSetParams(simtGraphExec_t exec, simtGraphNode_t node,
                                             const simtMemcpy3DParms* params) {
  return with_copy(exec, node, simtGraphNodeTypeMemcpy, [&](SIMTgraphNode_st* own) {
    const auto* old = std::get_if<simtMemcpy3DParms>(&own->params);
    if (old != nullptr && params != nullptr &&
        (is_in_device(old->srcPtr.ptr) != is_in_device(params->srcPtr.ptr) ||
         is_in_device(old->dstPtr.ptr) != is_in_device(params->dstPtr.ptr))) {
      return simtErrorInvalidValue;
    }
    return set_memcpy(own, params);
  });
}
simtError_t simtGraphExecMemcpyNodeSetParams1D(simtGraphExec_t exec, simtGraphNode_t node, void* to,
                                               const void* from, std::size_t size,
                                               simtMemcpyKind kind) {
  const simtMemcpy3DParms params = plain_copy(to, from, size, kind);
  return simtGraphExecMemcpyNodeSetParams(exec, node, &params);
}
simtError_t simtGraphExecMemsetNodeSetParams(simtGraphExec_t exec, simtGraphNode_t node,
                                             const simtMemsetParams* params) {
  return with_copy(exec, node, simtGraphNodeTypeMemset, [&](SIMTgraphNode_st* own) {
    // CUDA Runtime API, cudaGraphExecMemsetNodeSetParams: both fills have one dimension.
    const auto* old = std::get_if<simtMemsetParams>(&own->params);
    if (params != nullptr && (params->height > 1 || (old != nullptr && old->height > 1)))
      return simtErrorInvalidValue;
    return set_memset(own, params);
  });
}
simtError_t simtGraphExecHostNodeSetParams(simtGraphExec_t exec, simtGraphNode_t node,
                                           const simtHostNodeParams* params) {
  return with_copy(exec, node, simtGraphNodeTypeHost,
                   [&](SIMTgraphNode_st* own) { return set_host(own, params); });
}
simtError_t simtGraphExecChildGraphNodeSetParams(simtGraphExec_t exec, simtGraphNode_t node,
                                                 simtGraph_t child) {
  return with_copy(exec, node, simtGraphNodeTypeGraph, [&](SIMTgraphNode_st* own) {
    const auto graph = graph_handles().find(child);
    if (graph == nullptr || graph->nodes.size() != own->child->nodes.size())
      return simtErrorInvalidValue;
    auto inner = instantiate(*graph);
    if (inner == nullptr || inner->has_memory_nodes()) return simtErrorInvalidValue;
    own->child = std::move(inner);
    return simtSuccess;
  });
}
simtError_t simtGraphExecEventRecordNodeSetEvent(simtGraphExec_t exec, simtGraphNode_t node,
                                                 simtEvent_t event) {
  return with_copy(exec, node, simtGraphNodeTypeEventRecord, [&](SIMTgraphNode_st* own) {
    return set_event(own, simtGraphNodeTypeEventRecord, event);
  });
}
simtError_t simtGraphExecEventWaitNodeSetEvent(simtGraphExec_t exec, simtGraphNode_t node,
                                               simtEvent_t event) {
  return with_copy(exec, node, simtGraphNodeTypeWaitEvent, [&](SIMTgraphNode_st* own) {
    return set_event(own, simtGraphNodeTypeWaitEvent, event);
  });
}

simtError_t simtGraphNodeSetEnabled(simtGraphExec_t exec, simtGraphNode_t node, unsigned enabled) {
  return with_copy(exec, node, [&](SIMTgraphNode_st* own) {
    if (!can_be_disabled(own->type)) return simtErrorInvalidValue;
    own->enabled = enabled != 0;
    return simtSuccess;
  });
}
simtError_t simtGraphNodeGetEnabled(simtGraphExec_t exec, simtGraphNode_t node, unsigned* enabled) {
  return with_copy(exec, node, [&](const SIMTgraphNode_st* own) {
    if (enabled == nullptr || !can_be_disabled(own->type)) return simtErrorInvalidValue;
    *enabled = own->enabled;
    return simtSuccess;
  });
}

simtError_t simtGraphExecUpdate(simtGraphExec_t handle, simtGraph_t graph_handle,
                                simtGraphExecUpdateResultInfo* info) {
  return call([&] {
    const auto exec = graph_exec_handles().find(handle);
    const auto graph = graph_handles().find(graph_handle);
    if (exec == nullptr || graph == nullptr) return simtErrorInvalidValue;
    simtGraphExecUpdateResultInfo unused;
    if (info == nullptr) info = &unused;
    *info = {simtGraphExecUpdateSuccess, nullptr, nullptr};
    const auto changed = instantiate(*graph);
    if (changed == nullptr || changed->nodes.size() != exec->nodes.size())
      return fail_update(info, simtGraphExecUpdateErrorTopologyChanged, nullptr);
    const std::lock_guard lock(exec->mutex);
    for (std::size_t i = 0; i < exec->nodes.size(); ++i) {
      const SIMTgraphNode_st& before = exec->nodes[i];
      const SIMTgraphNode_st& after = changed->nodes[i];
      auto* const node = const_cast<simtGraphNode_t>(after.origin);
      std::vector<std::size_t> old_edges = before.after, new_edges = after.after;
      std::sort(old_edges.begin(), old_edges.end());
      std::sort(new_edges.begin(), new_edges.end());
      if (before.type != after.type)
        return fail_update(info, simtGraphExecUpdateErrorNodeTypeChanged, node);
      if (old_edges != new_edges)
        return fail_update(info, simtGraphExecUpdateErrorTopologyChanged, node);
      if (before.memory != after.memory || before.conditional != nullptr)
        return fail_update(info, simtGraphExecUpdateErrorNotSupported, node);
    }
    for (std::size_t i = 0; i < exec->nodes.size(); ++i) {
      SIMTgraphNode_st next = changed->nodes[i];
      next.origin = exec->nodes[i].origin;
      next.enabled = exec->nodes[i].enabled;
      exec->nodes[i] = std::move(next);
    }
    exec->objects = graph->objects;
    return simtSuccess;
  });
}

simtError_t simtGraphExecGetFlags(simtGraphExec_t handle, unsigned long long* flags) {
  return call([&] {
    const auto exec = graph_exec_handles().find(handle);
    if (exec == nullptr || flags == nullptr) return simtErrorInvalidValue;
    *flags = exec->flags;
    return simtSuccess;
  });
}

simtError_t simtGraphInstantiateWithParams(simtGraphExec_t* exec, simtGraph_t graph,
                                           simtGraphInstantiateParams* params) {
  if (params == nullptr) return remember(simtErrorInvalidValue);
  // Uploads have no effect on this target.
  const unsigned long long flags =
      params->flags & ~static_cast<unsigned long long>(simtGraphInstantiateFlagUpload);
  const simtError_t error = simtGraphInstantiateWithFlags(exec, graph, flags);
  params->errNode_out = nullptr;
  params->result_out = error == simtSuccess ? simtGraphInstantiateSuccess : simtGraphInstantiateError;
  return error;
}
