// Work and parameters of nodes that a program adds to a graph.
//
// Ownership: a node shares ownership of its work and of the copies of a kernel's arguments.
// Threads: the calling thread. Memory ordering: none; a graph has no lock (streams/graph.h).
#pragma once

#include "streams/graph.h"

namespace simtrt {

/// Set type, work and parameters of a node. Errors: those of the call that does the same on a stream.
simtError_t set_kernel(SIMTgraphNode_st* node, const simtKernelNodeParams* params);
simtError_t set_memcpy(SIMTgraphNode_st* node, const simtMemcpy3DParms* params);
simtError_t set_memset(SIMTgraphNode_st* node, const simtMemsetParams* params);
simtError_t set_host(SIMTgraphNode_st* node, const simtHostNodeParams* params);
simtError_t set_child(SIMTgraphNode_st* node, simtGraph_t child);
simtError_t set_event(SIMTgraphNode_st* node, simtGraphNodeType type, simtEvent_t event);

/// Makes a conditional node of `graph`, with empty bodies, whose handles `params` receives. Errors:
/// simtErrorInvalidValue for a handle of another graph, or one that has a node already.
simtError_t set_conditional(SIMTgraphNode_st* node, const std::shared_ptr<SIMTgraph_st>& graph,
                            simtConditionalNodeParams* params);

/// Indices of `count` nodes of a graph; false if one is repeated or belongs to another graph.
bool indices_of(const SIMTgraph_st& graph, const simtGraphNode_t* nodes, std::size_t count,
                std::vector<std::size_t>* indices);

/// Parameters of a copy of `size` bytes.
simtMemcpy3DParms plain_copy(void* to, const void* from, std::size_t size, simtMemcpyKind kind);

}  // namespace simtrt
