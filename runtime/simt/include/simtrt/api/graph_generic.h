// Nodes of any type, conditional nodes, captures into existing graphs, memory and objects of graphs:
// functions of CUDA 12.4's cuda_runtime_api.h. simt_runtime_api.h includes this file.
//
// Errors: simtErrorInvalidValue for null pointers and unknown handles, for annotated edges, for
// types of nodes that the function does not accept, and for instantiations of graphs in which a
// body of a conditional node contains other nodes than kernels, copies, fills, empty nodes, child
// graphs and conditional nodes. A graph with conditional nodes cannot be cloned, added as a child
// graph (both simtErrorNotSupported) or updated (simtGraphExecUpdateErrorNotSupported).
#pragma once

#include <simtrt/api/graph_generic_types.h>
#include <simtrt/config.h>

extern "C" {

SIMTRT_EXPORT simtError_t simtGraphAddNode(simtGraphNode_t* node, simtGraph_t graph,
                                           const simtGraphNode_t* after, std::size_t count,
                                           simtGraphNodeParams* params);
/// Replaces the parameters of a kernel, copy, fill, host or event node.
SIMTRT_EXPORT simtError_t simtGraphNodeSetParams(simtGraphNode_t node, simtGraphNodeParams* params);
SIMTRT_EXPORT simtError_t simtGraphExecNodeSetParams(simtGraphExec_t exec, simtGraphNode_t node,
                                                     simtGraphNodeParams* params);
/// Makes a variable for one conditional node in `graph` or in a graph inside of it. All executable
/// graphs share the variable.
SIMTRT_EXPORT simtError_t simtGraphConditionalHandleCreate(simtGraphConditionalHandle* handle,
                                                           simtGraph_t graph,
                                                           unsigned default_value = 0,
                                                           unsigned flags = 0);

/// Captures into an existing graph. The first captured work follows `after`.
SIMTRT_EXPORT simtError_t simtStreamBeginCaptureToGraph(simtStream_t stream, simtGraph_t graph,
                                                        const simtGraphNode_t* after,
                                                        const simtGraphEdgeData* edges,
                                                        std::size_t count,
                                                        simtStreamCaptureMode mode);
/// Adds to or replaces the nodes that precede the next captured work of a stream.
SIMTRT_EXPORT simtError_t simtStreamUpdateCaptureDependencies(simtStream_t stream,
                                                              simtGraphNode_t* nodes,
                                                              std::size_t count,
                                                              unsigned flags = 0);

// Memory of allocation nodes. It exists as long as its graphs and executable graphs, so that used
// and reserved memory are equal, and there is nothing to trim. The highest values can be set to 0.
SIMTRT_EXPORT simtError_t simtDeviceGetGraphMemAttribute(int device,
                                                         simtGraphMemAttributeType attribute,
                                                         void* value);
SIMTRT_EXPORT simtError_t simtDeviceSetGraphMemAttribute(int device,
                                                         simtGraphMemAttributeType attribute,
                                                         void* value);
SIMTRT_EXPORT simtError_t simtDeviceGraphMemTrim(int device);

// Objects of the program. `destroy(data)` is called when the last reference is released: by the
// program, by graphs, or by executable graphs, which have the references of their graphs. It runs on
// the thread that releases the reference, which may be a thread of the runtime, and must not call
// the runtime.
SIMTRT_EXPORT simtError_t simtUserObjectCreate(simtUserObject_t* object, void* data,
                                               simtHostFn_t destroy, unsigned references,
                                               unsigned flags);
SIMTRT_EXPORT simtError_t simtUserObjectRetain(simtUserObject_t object, unsigned count = 1);
SIMTRT_EXPORT simtError_t simtUserObjectRelease(simtUserObject_t object, unsigned count = 1);
SIMTRT_EXPORT simtError_t simtGraphRetainUserObject(simtGraph_t graph, simtUserObject_t object,
                                                    unsigned count = 1, unsigned flags = 0);
SIMTRT_EXPORT simtError_t simtGraphReleaseUserObject(simtGraph_t graph, simtUserObject_t object,
                                                     unsigned count = 1);

}  // extern "C"

/// Sets a variable of conditional nodes, in a kernel.
inline void simtGraphSetConditional(simtGraphConditionalHandle handle, unsigned value) {
  __atomic_store_n(reinterpret_cast<unsigned*>(handle), value, __ATOMIC_RELAXED);
}

namespace simtrt {
/// True if no edge has an annotation.
inline bool are_plain(const simtGraphEdgeData* edges, std::size_t count) {
  for (std::size_t i = 0; edges != nullptr && i < count; ++i)
    if (edges[i].from_port != 0 || edges[i].to_port != 0 || edges[i].type != 0) return false;
  return true;
}
}  // namespace simtrt

// The forms with annotations of edges, which CUDA 13 has instead of those above.
inline simtError_t simtGraphAddNode(simtGraphNode_t* node, simtGraph_t graph,
                                    const simtGraphNode_t* after, const simtGraphEdgeData* edges,
                                    std::size_t count, simtGraphNodeParams* params) {
  return simtrt::are_plain(edges, count) ? simtGraphAddNode(node, graph, after, count, params)
                                         : simtErrorInvalidValue;
}
inline simtError_t simtStreamUpdateCaptureDependencies(simtStream_t stream, simtGraphNode_t* nodes,
                                                       const simtGraphEdgeData* edges,
                                                       std::size_t count, unsigned flags) {
  return simtrt::are_plain(edges, count)
             ? simtStreamUpdateCaptureDependencies(stream, nodes, count, flags)
             : simtErrorInvalidValue;
}
/// `edges` receives null: the edges have no annotations.
inline simtError_t simtStreamGetCaptureInfo(simtStream_t stream, simtStreamCaptureStatus* status,
                                            unsigned long long* id, simtGraph_t* graph,
                                            const simtGraphNode_t** nodes,
                                            const simtGraphEdgeData** edges, std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return simtStreamGetCaptureInfo(stream, status, id, graph, nodes, count);
}
