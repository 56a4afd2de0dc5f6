// Nodes of any type, conditional nodes, captures into existing graphs, and memory of graphs.
#include "api/call.h"
#include "api/node_work.h"

#include <algorithm>

using namespace simtrt;

namespace {

template <class WorkOfCall>
simtError_t with_capture(simtStream_t handle, WorkOfCall work) {
  return with_stream(handle, [&](const auto& stream) {
    const std::lock_guard lock(capture_mutex());
    return stream->capture == nullptr ? simtErrorIllegalState : work(*stream);
  });
}

simtError_t add_conditional(simtGraphNode_t* node, simtGraph_t handle, const simtGraphNode_t* after,
                            std::size_t count, simtConditionalNodeParams* params) {
  return call([&] {
    const auto graph = find_graph(handle);
    SIMTgraphNode_st made{simtGraphNodeTypeEmpty, {}, {}, {}, {}};
    if (node == nullptr || graph == nullptr || !indices_of(*graph, after, count, &made.after))
      return simtErrorInvalidValue;
    if (const simtError_t error = set_conditional(&made, graph, params)) return error;
    *node = graph->nodes[graph->add(std::move(made))].get();
    return simtSuccess;
  });
}

// Reads or changes memory attributes of a device.
template <class WorkOfCall>
simtError_t with_device(int device, WorkOfCall work) {
  return call([&] { return Device::get(device) == nullptr ? simtErrorInvalidDevice : work(); });
}

}  // namespace

simtError_t simtGraphAddNode(simtGraphNode_t* node, simtGraph_t graph, const simtGraphNode_t* after,
                             std::size_t count, simtGraphNodeParams* params) {
  if (params == nullptr) return remember(simtErrorInvalidValue);
  switch (params->type) {
    case simtGraphNodeTypeKernel:
      return simtGraphAddKernelNode(node, graph, after, count, &params->kernel);
    case simtGraphNodeTypeMemcpy:
      return simtGraphAddMemcpyNode(node, graph, after, count, &params->memcpy.copyParams);
    case simtGraphNodeTypeMemset:
      return simtGraphAddMemsetNode(node, graph, after, count, &params->memset);
    case simtGraphNodeTypeHost:
      return simtGraphAddHostNode(node, graph, after, count, &params->host);
    case simtGraphNodeTypeGraph:
      return simtGraphAddChildGraphNode(node, graph, after, count, params->graph.graph);
    case simtGraphNodeTypeEmpty: return simtGraphAddEmptyNode(node, graph, after, count);
    case simtGraphNodeTypeWaitEvent:
      return simtGraphAddEventWaitNode(node, graph, after, count, params->eventWait.event);
    case simtGraphNodeTypeEventRecord:
      return simtGraphAddEventRecordNode(node, graph, after, count, params->eventRecord.event);
    case simtGraphNodeTypeMemAlloc:
      return simtGraphAddMemAllocNode(node, graph, after, count, &params->alloc);
    case simtGraphNodeTypeMemFree:
      return simtGraphAddMemFreeNode(node, graph, after, count, params->free.dptr);
    case simtGraphNodeTypeConditional:
      return add_conditional(node, graph, after, count, &params->conditional);
    default: return remember(simtErrorInvalidValue);
  }
}

simtError_t simtGraphNodeSetParams(simtGraphNode_t node, simtGraphNodeParams* params) {
  if (params == nullptr) return remember(simtErrorInvalidValue);
  switch (params->type) {
    case simtGraphNodeTypeKernel: return simtGraphKernelNodeSetParams(node, &params->kernel);
    case simtGraphNodeTypeMemcpy:
      return simtGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
    case simtGraphNodeTypeMemset: return simtGraphMemsetNodeSetParams(node, &params->memset);
    case simtGraphNodeTypeHost: return simtGraphHostNodeSetParams(node, &params->host);
    case simtGraphNodeTypeWaitEvent:
      return simtGraphEventWaitNodeSetEvent(node, params->eventWait.event);
    case simtGraphNodeTypeEventRecord:
      return simtGraphEventRecordNodeSetEvent(node, params->eventRecord.event);
    default: return remember(simtErrorInvalidValue);
  }
}

simtError_t simtGraphExecNodeSetParams(simtGraphExec_t exec, simtGraphNode_t node,
                                       simtGraphNodeParams* params) {
  if (params == nullptr) return remember(simtErrorInvalidValue);
  switch (params->type) {
    case simtGraphNodeTypeKernel:
      return simtGraphExecKernelNodeSetParams(exec, node, &params->kernel);
    case simtGraphNodeTypeMemcpy:
      return simtGraphExecMemcpyNodeSetParams(exec, node, &params->memcpy.copyParams);
    case simtGraphNodeTypeMemset:
      return simtGraphExecMemsetNodeSetParams(exec, node, &params->memset);
    case simtGraphNodeTypeHost: return simtGraphExecHostNodeSetParams(exec, node, &params->host);
    case simtGraphNodeTypeGraph:
      return simtGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
    case simtGraphNodeTypeWaitEvent:
      return simtGraphExecEventWaitNodeSetEvent(exec, node, params->eventWait.event);
    case simtGraphNodeTypeEventRecord:
      return simtGraphExecEventRecordNodeSetEvent(exec, node, params->eventRecord.event);
    default: return remember(simtErrorInvalidValue);
  }
}

simtError_t simtGraphConditionalHandleCreate(simtGraphConditionalHandle* handle, simtGraph_t graph,
                                             unsigned default_value, unsigned flags) {
  return call_in_any_state([&] {
    const auto owner = find_graph(graph);
    if (handle == nullptr || owner == nullptr ||
        (flags & ~unsigned{simtGraphCondAssignDefault}) != 0) {
      return simtErrorInvalidValue;
    }
    const bool assigned = flags == simtGraphCondAssignDefault;
    owner->conditions.push_back(
        std::make_shared<Condition>(Condition{default_value, default_value, assigned}));
    *handle = owner->conditions.back()->handle();
    return simtSuccess;
  });
}

simtError_t simtStreamBeginCaptureToGraph(simtStream_t handle, simtGraph_t graph_handle,
                                          const simtGraphNode_t* after,
                                          const simtGraphEdgeData* edges, std::size_t count,
                                          simtStreamCaptureMode mode) {
  return with_stream(handle, [&](const auto& stream) {
    auto graph = graph_handles().find(graph_handle);
    std::vector<std::size_t> tail;
    if (graph == nullptr || mode < simtStreamCaptureModeGlobal ||
        mode > simtStreamCaptureModeRelaxed || !are_plain(edges, count) ||
        !indices_of(*graph, after, count, &tail)) {
      return simtErrorInvalidValue;
    }
    return begin_capture(stream, mode, std::move(graph), std::move(tail));
  });
}

simtError_t simtStreamUpdateCaptureDependencies(simtStream_t handle, simtGraphNode_t* nodes,
                                                std::size_t count, unsigned flags) {
  return with_capture(handle, [&](Stream& stream) {
    std::vector<std::size_t> tail;
    if (flags > simtStreamSetCaptureDependencies ||
        !indices_of(*stream.capture->graph, nodes, count, &tail)) {
      return simtErrorInvalidValue;
    }
    auto& old = stream.capture_tail;
    if (flags == simtStreamAddCaptureDependencies) {
      std::copy_if(old.begin(), old.end(), std::back_inserter(tail), [&](std::size_t node) {
        return std::find(tail.begin(), tail.end(), node) == tail.end();
      });
    }
    old = std::move(tail);
    return simtSuccess;
  });
}

simtError_t simtDeviceGetGraphMemAttribute(int device, simtGraphMemAttributeType attribute,
                                           void* value) {
  return with_device(device, [&] {
    if (value == nullptr) return simtErrorInvalidValue;
    auto& bytes = *static_cast<unsigned long long*>(value);
    switch (attribute) {
      case simtGraphMemAttrUsedMemCurrent:
      case simtGraphMemAttrReservedMemCurrent: bytes = GraphMemory::bytes(device); break;
      case simtGraphMemAttrUsedMemHigh:
      case simtGraphMemAttrReservedMemHigh: bytes = GraphMemory::highest_bytes(device); break;
      default: return simtErrorInvalidValue;
    }
    return simtSuccess;
  });
}

simtError_t simtDeviceSetGraphMemAttribute(int device, simtGraphMemAttributeType attribute,
                                           void* value) {
  return with_device(device, [&] {
    const bool can_be_set =
        attribute == simtGraphMemAttrUsedMemHigh || attribute == simtGraphMemAttrReservedMemHigh;
    if (!can_be_set || value == nullptr || *static_cast<unsigned long long*>(value) != 0)
      return simtErrorInvalidValue;
    GraphMemory::reset_highest(device);
    return simtSuccess;
  });
}

simtError_t simtDeviceGraphMemTrim(int device) {
  return with_device(device, [] { return simtSuccess; });
}
