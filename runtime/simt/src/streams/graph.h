// Graphs, and the capture of streams into them.
//
// A capture begins on one stream. Another stream joins the capture when it waits for an event of the
// capture. Work submitted to these streams becomes nodes. A launched graph submits its nodes to one
// stream in the order of the capture, which is one of the orders that its edges permit.
//
// Ownership: handles, and launches until they are complete, share ownership of graphs and
// executable graphs. Nodes share ownership of their work, events and memory. A capture owns its
// graph until the capture ends; the streams of a capture share ownership of the capture.
// Threads: any thread. capture_mutex() guards captures and the capture state of streams and events;
// the mutex of an executable graph guards `last_launch`. A graph has no lock: as in CUDA, the
// program does not use one graph from two threads at the same time.
// Memory ordering: the mutexes order the data. Calls skip the lock while captures_going_on() is 0;
// program order makes a capture visible to the thread that began it. The count and `destroyed`
// order no other access, so relaxed ordering would suffice.
#pragma once

#include "handles.h"
#include "streams/conditional.h"
#include "streams/graph_memory.h"
#include "streams/stream.h"
#include "streams/user_object.h"

#include <simt_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

struct SIMTgraph_st;
struct SIMTgraphExec_st;

namespace simtrt {

/// Parameters of a kernel node, with copies of the arguments.
struct KernelNode {
  simtKernelNodeParams params{};
  std::vector<std::vector<char>> values;
  std::vector<void*> addresses;
};
/// Parameters with which a program made a node; empty for captured nodes.
using NodeParams = std::variant<std::monostate, std::shared_ptr<KernelNode>, simtMemcpy3DParms,
                                simtMemsetParams, simtHostNodeParams>;

}  // namespace simtrt

/// A node performs `work`; or it records or waits for `event`, launches `child`, allocates or frees `memory`, or runs
/// bodies of `conditional`.
struct SIMTgraphNode_st {
  simtGraphNodeType type;
  std::shared_ptr<const simtrt::Work> work;
  std::shared_ptr<SIMTevent_st> event;
  std::shared_ptr<SIMTgraphExec_st> child;
  std::shared_ptr<simtrt::GraphMemory> memory;
  std::vector<std::size_t> after{};  ///< indices of the nodes that precede this node
  simtrt::NodeParams params{};
  std::shared_ptr<SIMTgraph_st> graph{};  ///< child graph that the program added as a node
  const SIMTgraphNode_st* origin = nullptr;  ///< node of which this node is a copy
  bool enabled = true;
  std::shared_ptr<simtrt::Conditional> conditional{};
};

struct SIMTgraph_st {
  std::vector<std::unique_ptr<SIMTgraphNode_st>> nodes;
  /// Executable graph that was instantiated last from this graph.
  std::weak_ptr<SIMTgraphExec_st> exec;
  std::vector<std::shared_ptr<simtrt::Condition>> conditions;
  std::weak_ptr<SIMTgraph_st> outer;  ///< graph with the conditional node of which this graph is a body
  simtrt::UserObjectReferences objects;

  std::size_t add(SIMTgraphNode_st node);
  /// Index of a node; the number of nodes if the graph does not contain it.
  std::size_t index_of(const SIMTgraphNode_st* node) const;
  /// Indices of all nodes in an order that the edges permit: each node as early as possible. Fewer
  /// indices than nodes if the edges form a cycle.
  std::vector<std::size_t> order() const;
  /// For each node by index: true if the node precedes one of `nodes`, or is one of them.
  std::vector<bool> before(std::vector<std::size_t> nodes) const;
  bool has_memory_nodes() const;
  bool has_conditional_nodes() const;
};

/// Graph that can be launched: its nodes in an order that the edges permit. `mutex` guards the nodes.
struct SIMTgraphExec_st {
  std::vector<SIMTgraphNode_st> nodes;  ///< `after` contains indices of this list
  unsigned long long flags = 0;
  bool frees_on_launch = false;  ///< simtGraphInstantiateFlagAutoFreeOnLaunch
  std::vector<std::shared_ptr<simtrt::Condition>> conditions;
  simtrt::UserObjectReferences objects;
  std::atomic<bool> destroyed{false};

  bool has_memory_nodes() const;

  /// Orders the launches of this graph on all streams.
  std::mutex mutex;
  simtrt::Dependency last_launch;
};

namespace simtrt {

/// Capture in progress.
class Capture {
 public:
  Capture(std::shared_ptr<Stream> origin, simtStreamCaptureMode mode,
          std::shared_ptr<SIMTgraph_st> graph);

  const std::shared_ptr<Stream> origin;
  const simtStreamCaptureMode mode;
  const std::thread::id thread;
  const unsigned long long id;
  const std::shared_ptr<SIMTgraph_st> graph;
  bool invalidated = false;
  std::vector<std::shared_ptr<Stream>> members;
};

/// Guards all captures and the capture state of streams and events.
std::mutex& capture_mutex();
/// Number of captures in progress. While it is 0, no call takes the lock.
std::atomic<int>& captures_going_on();

/// Begin and end a capture. Errors: those of simtStreamBeginCapture and simtStreamEndCapture. The caller owns the
/// graph. The first work of the capture follows the nodes of `graph` in `after`.
simtError_t begin_capture(const std::shared_ptr<Stream>& stream, simtStreamCaptureMode mode,
                          std::shared_ptr<SIMTgraph_st> graph, std::vector<std::size_t> after);
simtError_t end_capture(const std::shared_ptr<Stream>& stream,
                        std::shared_ptr<SIMTgraph_st>* graph);
/// Called before a stream is destroyed: a capture that began on the stream ends. Any other capture of the stream goes
/// on; it can end only if the work of this stream has been joined.
void leave_capture(const std::shared_ptr<Stream>& stream);
/// Sets the capture mode of the calling thread and returns the previous mode.
simtStreamCaptureMode exchange_thread_mode(simtStreamCaptureMode mode);

/// Submits work to a stream, or adds it to the graph into which the stream is captured. Errors:
/// simtErrorStreamCaptureInvalidated, simtErrorStreamCaptureImplicit.
simtError_t submit(const std::shared_ptr<Stream>& stream, std::shared_ptr<const Work> work,
                   simtGraphNodeType type);
inline simtError_t submit(const std::shared_ptr<Stream>& stream, Work work,
                          simtGraphNodeType type) {
  return submit(stream, std::make_shared<const Work>(std::move(work)), type);
}

/// While it exists, the calling thread's API calls submit nothing: the object receives the work of
/// the last call, for a node of a graph.
class WorkSink {
 public:
  WorkSink();
  ~WorkSink();
  WorkSink(const WorkSink&) = delete;
  WorkSink& operator=(const WorkSink&) = delete;
  static WorkSink* current();

  std::shared_ptr<const Work> work;
};

/// Sizes of a kernel's arguments, ended by 0; null if nothing is known of the kernel.
const std::size_t* argument_sizes(const void* kernel);

/// Executable copy of a graph; null if its edges form a cycle.
std::shared_ptr<SIMTgraphExec_st> instantiate(const SIMTgraph_st& graph);

/// Graph of a handle, which may be the graph of a capture in progress (simtStreamGetCaptureInfo); null for other handles.
std::shared_ptr<SIMTgraph_st> find_graph(simtGraph_t handle);

/// Graph that contains a node; null if there is none. The caller holds the lock of captures. A
/// graph may have been destroyed: `node` is not dereferenced.
std::shared_ptr<SIMTgraph_st> graph_of_node(const SIMTgraphNode_st* node);

/// Appends a node to the graph into which the stream is captured; false if the stream is not captured. Errors:
/// simtErrorStreamCaptureInvalidated.
simtError_t add_to_capture(const std::shared_ptr<Stream>& stream, SIMTgraphNode_st node,
                           bool* captured);

/// Like add_to_capture, for a node that allocates memory. The allocation may reuse memory that
/// earlier nodes have freed. Errors: those of GraphMemory::allocate.
simtError_t capture_allocation(const std::shared_ptr<Stream>& stream, int device, std::size_t size,
                               void** pointer, bool* captured);
/// Like add_to_capture, for a node that frees the memory at `pointer`. Errors:
/// simtErrorInvalidValue for memory that belongs to no graph or is already freed.
simtError_t capture_free(const std::shared_ptr<Stream>& stream, void* pointer, bool* captured);

/// Called by functions that wait for `stream` or query its state. The call is forbidden if the
/// stream is captured, or if the stream is the default stream and would wait for a captured stream.
/// In these cases, invalidates the capture and returns an error.
simtError_t forbid_in_capture(const std::shared_ptr<Stream>& stream);
/// Same check as above, for functions that wait for the whole device.
simtError_t forbid_in_capture(const Device& device);
/// Called by functions that use the default stream. If the default stream would wait for a captured
/// stream, invalidates the capture and returns an error. Returns simtSuccess for all other streams.
simtError_t forbid_implicit_wait(const std::shared_ptr<Stream>& stream);
/// Makes the same check as forbid_implicit_wait, but does not invalidate the capture.
simtError_t check_implicit_wait(const std::shared_ptr<Stream>& stream);
/// Called by functions that would enter a node, before they check their other arguments: the error of an invalid
/// capture, or of a default stream that would wait for a captured stream.
simtError_t check_capture(const std::shared_ptr<Stream>& stream);
/// Invalidates the capture of a stream, because a launch in it has failed.
void break_capture(const std::shared_ptr<Stream>& stream);
/// Called by functions that a capture on this thread forbids, for example simtMalloc: returns an error and invalidates
/// the capture (CUDA Runtime API, cudaThreadExchangeStreamCaptureMode).
simtError_t forbid_unsafe_call();

/// Graph into which a stream is captured at present; null for a stream that is not captured.
std::shared_ptr<SIMTgraph_st> graph_of_capture(const std::shared_ptr<Stream>& stream);

/// Graph under capture for which `predicate` is true; null if there is none. The caller holds the
/// lock of captures.
std::shared_ptr<SIMTgraph_st> find_graph_of_capture(
    const std::function<bool(const SIMTgraph_st&)>& predicate);

/// Submits all nodes of a graph to a stream: the part of launch_graph that is the same for child graphs and bodies of
/// conditional nodes. Errors: those of `submit`.
simtError_t put_nodes(const SIMTgraphExec_st& exec, const std::shared_ptr<Stream>& stream);

/// Submits all nodes of a graph to a stream, after the graph's earlier launches. Errors:
/// simtErrorInvalidValue if the graph would allocate memory that is already allocated, or free
/// memory that is not allocated; and those of `submit`.
simtError_t launch_graph(const std::shared_ptr<SIMTgraphExec_st>& exec,
                         const std::shared_ptr<Stream>& stream);

Handles<simtGraph_t, SIMTgraph_st>& graph_handles();
Handles<simtGraphExec_t, SIMTgraphExec_st>& graph_exec_handles();

}  // namespace simtrt
