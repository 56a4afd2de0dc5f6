// Graphs built node by node: functions of CUDA 12.4's cuda_runtime_api.h. simt_runtime_api.h
// includes this file.
//
// Errors: simtErrorInvalidValue for null pointers, for nodes of other graphs or other types, for
// dependencies that exist already, and for instantiations of graphs with cycles. A kernel node
// needs a kernel whose parameters are known (simtLaunchKernel). An executable graph holds copies of
// the nodes: a change of a node affects later instantiations only, and a change of an executable
// graph affects its later launches.
#pragma once

#include <simtrt/api/types.h>
#include <simtrt/config.h>

#define SIMT_ADD_NODE(name, ...)                                                              \
  SIMTRT_EXPORT simtError_t simtGraphAdd##name(simtGraphNode_t* node, simtGraph_t graph,      \
                                               const simtGraphNode_t* after, std::size_t count, \
                                               __VA_ARGS__)

extern "C" {

// Nodes. `after` contains `count` nodes that precede the new node.
SIMT_ADD_NODE(KernelNode, const simtKernelNodeParams* params);
SIMT_ADD_NODE(MemcpyNode, const simtMemcpy3DParms* params);
SIMT_ADD_NODE(MemcpyNode1D, void* to, const void* from, std::size_t size, simtMemcpyKind kind);
SIMT_ADD_NODE(MemcpyNodeToSymbol, const void* symbol, const void* from, std::size_t size,
              std::size_t offset, simtMemcpyKind kind);
SIMT_ADD_NODE(MemcpyNodeFromSymbol, void* to, const void* symbol, std::size_t size,
              std::size_t offset, simtMemcpyKind kind);
SIMT_ADD_NODE(MemsetNode, const simtMemsetParams* params);
SIMT_ADD_NODE(HostNode, const simtHostNodeParams* params);
SIMT_ADD_NODE(ChildGraphNode, simtGraph_t child);
SIMT_ADD_NODE(EventRecordNode, simtEvent_t event);
SIMT_ADD_NODE(EventWaitNode, simtEvent_t event);
SIMT_ADD_NODE(MemAllocNode, simtMemAllocNodeParams* params);
SIMT_ADD_NODE(MemFreeNode, void* pointer);
SIMTRT_EXPORT simtError_t simtGraphAddEmptyNode(simtGraphNode_t* node, simtGraph_t graph,
                                                const simtGraphNode_t* after, std::size_t count);

// Edges and nodes of a graph. Lists follow the protocol of simtGraphGetNodes.
SIMTRT_EXPORT simtError_t simtGraphAddDependencies(simtGraph_t graph, const simtGraphNode_t* from,
                                                   const simtGraphNode_t* to, std::size_t count);
SIMTRT_EXPORT simtError_t simtGraphRemoveDependencies(simtGraph_t graph,
                                                      const simtGraphNode_t* from,
                                                      const simtGraphNode_t* to,
                                                      std::size_t count);
SIMTRT_EXPORT simtError_t simtGraphNodeGetDependencies(simtGraphNode_t node,
                                                       simtGraphNode_t* nodes, std::size_t* count);
SIMTRT_EXPORT simtError_t simtGraphNodeGetDependentNodes(simtGraphNode_t node,
                                                         simtGraphNode_t* nodes,
                                                         std::size_t* count);
SIMTRT_EXPORT simtError_t simtGraphDestroyNode(simtGraphNode_t node);
/// Node of `clone` that is the copy of `original`.
SIMTRT_EXPORT simtError_t simtGraphNodeFindInClone(simtGraphNode_t* node, simtGraphNode_t original,
                                                   simtGraph_t clone);
SIMTRT_EXPORT simtError_t simtGraphChildGraphNodeGetGraph(simtGraphNode_t node, simtGraph_t* graph);

// Parameters of a node. The arrays in the parameters of a kernel node belong to the node.
SIMTRT_EXPORT simtError_t simtGraphKernelNodeGetParams(simtGraphNode_t node,
                                                       simtKernelNodeParams* params);
SIMTRT_EXPORT simtError_t simtGraphKernelNodeSetParams(simtGraphNode_t node,
                                                       const simtKernelNodeParams* params);
SIMTRT_EXPORT simtError_t simtGraphMemcpyNodeGetParams(simtGraphNode_t node,
                                                       simtMemcpy3DParms* params);
SIMTRT_EXPORT simtError_t simtGraphMemcpyNodeSetParams(simtGraphNode_t node,
                                                       const simtMemcpy3DParms* params);
SIMTRT_EXPORT simtError_t simtGraphMemcpyNodeSetParams1D(simtGraphNode_t node, void* to,
                                                         const void* from, std::size_t size,
                                                         simtMemcpyKind kind);
SIMTRT_EXPORT simtError_t simtGraphMemsetNodeGetParams(simtGraphNode_t node,
                                                       simtMemsetParams* params);
SIMTRT_EXPORT simtError_t simtGraphMemsetNodeSetParams(simtGraphNode_t node,
                                                       const simtMemsetParams* params);
SIMTRT_EXPORT simtError_t simtGraphHostNodeGetParams(simtGraphNode_t node,
                                                     simtHostNodeParams* params);
SIMTRT_EXPORT simtError_t simtGraphHostNodeSetParams(simtGraphNode_t node,
                                                     const simtHostNodeParams* params);
SIMTRT_EXPORT simtError_t simtGraphEventRecordNodeGetEvent(simtGraphNode_t node,
                                                           simtEvent_t* event);
SIMTRT_EXPORT simtError_t simtGraphEventRecordNodeSetEvent(simtGraphNode_t node,
                                                           simtEvent_t event);
SIMTRT_EXPORT simtError_t simtGraphEventWaitNodeGetEvent(simtGraphNode_t node, simtEvent_t* event);
SIMTRT_EXPORT simtError_t simtGraphEventWaitNodeSetEvent(simtGraphNode_t node, simtEvent_t event);

// The same for an executable graph; `node` belongs to the graph that was instantiated.
SIMTRT_EXPORT simtError_t simtGraphExecKernelNodeSetParams(simtGraphExec_t exec,
                                                           simtGraphNode_t node,
                                                           const simtKernelNodeParams* params);
SIMTRT_EXPORT simtError_t simtGraphExecMemcpyNodeSetParams(simtGraphExec_t exec,
                                                           simtGraphNode_t node,
                                                           const simtMemcpy3DParms* params);
SIMTRT_EXPORT simtError_t simtGraphExecMemcpyNodeSetParams1D(simtGraphExec_t exec,
                                                             simtGraphNode_t node, void* to,
                                                             const void* from, std::size_t size,
                                                             simtMemcpyKind kind);
SIMTRT_EXPORT simtError_t simtGraphExecMemsetNodeSetParams(simtGraphExec_t exec,
                                                           simtGraphNode_t node,
                                                           const simtMemsetParams* params);
SIMTRT_EXPORT simtError_t simtGraphExecHostNodeSetParams(simtGraphExec_t exec, simtGraphNode_t node,
                                                         const simtHostNodeParams* params);
SIMTRT_EXPORT simtError_t simtGraphExecChildGraphNodeSetParams(simtGraphExec_t exec,
                                                               simtGraphNode_t node,
                                                               simtGraph_t child);
SIMTRT_EXPORT simtError_t simtGraphExecEventRecordNodeSetEvent(simtGraphExec_t exec,
                                                               simtGraphNode_t node,
                                                               simtEvent_t event);
SIMTRT_EXPORT simtError_t simtGraphExecEventWaitNodeSetEvent(simtGraphExec_t exec,
                                                             simtGraphNode_t node,
                                                             simtEvent_t event);
/// A disabled kernel, memcpy or memset node does nothing in later launches.
SIMTRT_EXPORT simtError_t simtGraphNodeSetEnabled(simtGraphExec_t exec, simtGraphNode_t node,
                                                  unsigned enabled);
SIMTRT_EXPORT simtError_t simtGraphNodeGetEnabled(simtGraphExec_t exec, simtGraphNode_t node,
                                                  unsigned* enabled);
/// Replaces the parameters of all nodes by those of a graph with the same nodes and edges, in the
/// same order. Otherwise the result is simtErrorGraphExecUpdateFailure, and `info` states the reason.
SIMTRT_EXPORT simtError_t simtGraphExecUpdate(simtGraphExec_t exec, simtGraph_t graph,
                                              simtGraphExecUpdateResultInfo* info);
SIMTRT_EXPORT simtError_t simtGraphExecGetFlags(simtGraphExec_t exec, unsigned long long* flags);
SIMTRT_EXPORT simtError_t simtGraphInstantiateWithParams(simtGraphExec_t* exec, simtGraph_t graph,
                                                         simtGraphInstantiateParams* params);

}  // extern "C"

#undef SIMT_ADD_NODE

/// The form of CUDA 11: `log` receives an empty text.
inline simtError_t simtGraphInstantiate(simtGraphExec_t* exec, simtGraph_t graph,
                                        simtGraphNode_t* error_node, char* log, std::size_t size) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && size != 0) *log = '\0';
  return simtGraphInstantiate(exec, graph, 0);
}
/// The form of CUDA 11.
inline simtError_t simtGraphExecUpdate(simtGraphExec_t exec, simtGraph_t graph,
                                       simtGraphNode_t* error_node,
                                       simtGraphExecUpdateResult* result) {
  simtGraphExecUpdateResultInfo info{};
  const simtError_t error = simtGraphExecUpdate(exec, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}
