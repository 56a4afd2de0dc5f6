// Conditional nodes of graphs: bodies that a launch runs depending on a variable that kernels set.
//
// The node is work of its stream that another stream completes: the bodies run on a stream of the
// node, and each run ends with work that reads the variable again.
//
// Ownership: a graph owns its variables; nodes share ownership of the variable that they read. A
// launch shares ownership of the node's bodies until it is complete.
// Threads: kernels on any thread set a variable, the worker of the node's stream reads it. Memory
// ordering: relaxed; the streams order the kernel that sets a variable before the node that reads it.
#pragma once

#include "streams/stream.h"

#include <simt_runtime_api.h>

#include <memory>
#include <vector>

struct SIMTgraph_st;
struct SIMTgraphExec_st;

namespace simtrt {

/// Variable of conditional nodes. Its handle is the address of `value`.
struct Condition {
  unsigned value;
  const unsigned initial;
  const bool assigned_at_launch;  ///< simtGraphCondAssignDefault
  bool has_node = false;

  simtGraphConditionalHandle handle() const {
    return reinterpret_cast<simtGraphConditionalHandle>(&value);
  }
  unsigned read() const { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
  void assign_initial() { __atomic_store_n(&value, initial, __ATOMIC_RELAXED); }
};

/// Condition and bodies of a node. `bodies` belong to the node of a graph, `execs` to its copy in an
/// executable graph.
struct Conditional {
  std::shared_ptr<Condition> condition;
  simtGraphConditionalNodeType type;
  std::vector<std::shared_ptr<SIMTgraph_st>> bodies;
  std::vector<simtGraph_t> handles;  ///< of the bodies
  std::vector<std::shared_ptr<SIMTgraphExec_st>> execs;

  /// Body that the variable selects; null if there is none.
  const SIMTgraphExec_st* selected() const;
};

/// Executable copy of a conditional node; null if a body has a cycle, or a node that bodies may not contain.
std::shared_ptr<Conditional> instantiate(const Conditional& node);

/// Submits a conditional node to a stream. Errors: those of `submit`.
simtError_t put_conditional(const std::shared_ptr<Conditional>& node,
                            const std::shared_ptr<Stream>& stream);

}  // namespace simtrt
