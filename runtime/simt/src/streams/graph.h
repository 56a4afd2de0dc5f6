// Graphs, and the capture of streams into them.
//
// A capture begins on one stream; other streams take part once they wait for an event of it. What
// is put on them becomes nodes. A launched graph puts its nodes on one stream in the order of the
// capture, which is one of the orders its edges allow.
//
// Ownership: graphs and executable graphs are shared by their handles and by launches that are not
// done. Nodes share ownership of their work, events and memory. A capture owns its graph until the
// capture ends, and is shared by the streams that take part.
// Threads: any thread. capture_mutex() guards captures and what streams and events know of them; the
// mutex of an executable graph guards `last_launch`. A graph has no lock: as in CUDA, the program
// does not use one graph from two threads at the same time.
// Memory ordering: the mutexes order the data. captures_going_on() lets calls skip the lock while
// there is no capture; a thread sees captures that it has begun by program order. The count and
// `destroyed` order nothing else: the sequentially consistent default is stronger than needed.
#pragma once

#include "handles.h"
#include "streams/graph_memory.h"
#include "streams/stream.h"

#include <simt_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

struct SIMTgraphExec_st;

/// A node does its `work`; or it records or waits for `event`, launches `child`, allocates or frees
/// `memory`.
struct SIMTgraphNode_st {
  simtGraphNodeType type;
  std::shared_ptr<const simtrt::Work> work;
  std::shared_ptr<SIMTevent_st> event;
  std::shared_ptr<SIMTgraphExec_st> child;
  std::shared_ptr<simtrt::GraphMemory> memory;
  std::vector<std::size_t> after;  ///< indices of the nodes before it
};

struct SIMTgraph_st {
  std::vector<std::unique_ptr<SIMTgraphNode_st>> nodes;
  /// Executable graph that was instantiated from it last.
  std::weak_ptr<SIMTgraphExec_st> exec;

  std::size_t add(SIMTgraphNode_st node);
  /// By index, whether a node comes before one of `nodes`, or is one of them.
  std::vector<bool> before(std::vector<std::size_t> nodes) const;
  bool has_memory_nodes() const;
};

/// A graph that can be launched: its nodes in the order of the capture.
struct SIMTgraphExec_st {
  std::vector<SIMTgraphNode_st> nodes;
  bool frees_on_launch = false;  ///< simtGraphInstantiateFlagAutoFreeOnLaunch
  std::atomic<bool> destroyed{false};

  bool has_memory_nodes() const;

  /// Launches of it come one after another, on whatever streams.
  std::mutex mutex;
  simtrt::Dependency last_launch;
};

namespace simtrt {

/// A capture that is going on.
class Capture {
 public:
  Capture(std::shared_ptr<Stream> origin, simtStreamCaptureMode mode);

  const std::shared_ptr<Stream> origin;
  const simtStreamCaptureMode mode;
  const std::thread::id thread;
  const unsigned long long id;
  const std::shared_ptr<SIMTgraph_st> graph;
  bool invalidated = false;
  std::vector<std::shared_ptr<Stream>> members;
};

/// Guards all captures and what streams and events say of them.
std::mutex& capture_mutex();
/// Number of captures in progress. While it is 0, no call takes the lock.
std::atomic<int>& captures_going_on();

/// Errors as simtStreamBeginCapture and simtStreamEndCapture; the graph is the caller's.
simtError_t begin_capture(const std::shared_ptr<Stream>& stream, simtStreamCaptureMode mode);
simtError_t end_capture(const std::shared_ptr<Stream>& stream,
                        std::shared_ptr<SIMTgraph_st>* graph);
/// The stream is about to go: its capture ends with it where it began there, and is invalid from
/// now on where it did not.
void leave_capture(const std::shared_ptr<Stream>& stream);
/// Sets how strict captures are towards the calling thread; gives what it was.
simtStreamCaptureMode exchange_thread_mode(simtStreamCaptureMode mode);

/// Puts work on a stream, or into the graph that the stream is captured into.
/// Errors: simtErrorStreamCaptureInvalidated, simtErrorStreamCaptureImplicit.
simtError_t submit(const std::shared_ptr<Stream>& stream, std::shared_ptr<const Work> work,
                   simtGraphNodeType type);
inline simtError_t submit(const std::shared_ptr<Stream>& stream, Work work,
                          simtGraphNodeType type) {
  return submit(stream, std::make_shared<const Work>(std::move(work)), type);
}

/// Adds a node to the graph that the stream is captured into, after what stands there; false where
/// it is not captured. Errors: simtErrorStreamCaptureInvalidated.
simtError_t add_to_capture(const std::shared_ptr<Stream>& stream, SIMTgraphNode_st node,
                           bool* captured);

/// Adds a memory node likewise. The memory of an allocation may be what nodes before it have freed.
/// Errors: those of GraphMemory::allocate.
simtError_t capture_allocation(const std::shared_ptr<Stream>& stream, int device, std::size_t size,
                               void** pointer, bool* captured);
/// Errors: simtErrorInvalidValue for what is no memory of a graph, or freed already.
simtError_t capture_free(const std::shared_ptr<Stream>& stream, void* pointer, bool* captured);

/// For a call that waits for `stream` or asks for its state: an error, and an invalid capture,
/// where the stream is captured, or is the default stream and a stream that it waits for is.
simtError_t forbid_in_capture(const std::shared_ptr<Stream>& stream);
/// For a call that waits for all of the device.
simtError_t forbid_in_capture(const Device& device);
/// For the use of the default stream: an error, and an invalid capture, where a stream is captured
/// that it would wait for. Success for every other stream.
simtError_t forbid_implicit_wait(const std::shared_ptr<Stream>& stream);
/// The same error, and the capture stays valid.
simtError_t check_implicit_wait(const std::shared_ptr<Stream>& stream);
/// For a call that a capture does not allow on this thread, such as simtMalloc: an error, and an
/// invalid capture (CUDA Runtime API, cudaThreadExchangeStreamCaptureMode).
simtError_t forbid_unsafe_call();

/// The graph that a stream is captured into at present; null where it is not captured.
std::shared_ptr<SIMTgraph_st> graph_of_capture(const std::shared_ptr<Stream>& stream);

/// A graph for which `predicate` holds, and which a capture is making; null where there is none.
/// The caller holds the lock of captures.
std::shared_ptr<SIMTgraph_st> find_graph_of_capture(
    const std::function<bool(const SIMTgraph_st&)>& predicate);

/// Puts all nodes of a graph on a stream, after its launches before. Errors: simtErrorInvalidValue
/// where memory that it allocates is allocated, or memory that it frees is not; those of `submit`.
simtError_t launch_graph(const std::shared_ptr<SIMTgraphExec_st>& exec,
                         const std::shared_ptr<Stream>& stream);

Handles<simtGraph_t, SIMTgraph_st>& graph_handles();
Handles<simtGraphExec_t, SIMTgraphExec_st>& graph_exec_handles();

}  // namespace simtrt
