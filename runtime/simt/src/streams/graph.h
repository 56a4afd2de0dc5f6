// Graphs, and the capture of streams into them.
//
// A capture begins on one stream; other streams take part once they wait for an event of it. What
// is put on them becomes nodes. A launched graph puts its nodes on one stream in the order of the
// capture, which is one of the orders its edges allow.
#pragma once

#include "handles.h"
#include "streams/stream.h"

#include <simt_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

struct SIMTgraphNode_st {
  std::shared_ptr<const simtrt::Work> work;
  simtGraphNodeType type;
  std::vector<std::size_t> after;  ///< indices of the nodes before it
};

namespace simtrt {

/// Memory that was allocated in a capture: it has one address for all launches, and lives as long
/// as the graph.
class GraphMemory {
 public:
  explicit GraphMemory(void* begin) : begin(begin) {}
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory();

  void* const begin;
};

}  // namespace simtrt

struct SIMTgraph_st {
  std::vector<std::unique_ptr<SIMTgraphNode_st>> nodes;
  std::vector<std::shared_ptr<simtrt::GraphMemory>> memory;

  std::size_t add(std::shared_ptr<const simtrt::Work> work, simtGraphNodeType type,
                  std::vector<std::size_t> after);
};

struct SIMTgraphExec_st {
  struct Node {
    std::shared_ptr<const simtrt::Work> work;
    simtGraphNodeType type;
  };
  std::vector<Node> nodes;
  std::vector<std::shared_ptr<simtrt::GraphMemory>> memory;
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
  std::shared_ptr<SIMTgraph_st> graph;
  bool invalidated = false;
  std::vector<std::shared_ptr<Stream>> members;
};

/// Guards all captures and what streams and events say of them.
std::mutex& capture_mutex();
/// How many captures are going on: none, mostly, and then nobody takes the lock.
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

/// For a call that waits for `stream` (null: for the whole device): an error, and an invalid
/// capture, where that is being captured.
simtError_t forbid_in_capture(const std::shared_ptr<Stream>& stream);
/// For a call that a global capture does not allow on its thread, such as simtMalloc.
simtError_t forbid_unsafe_call();

/// The graph that a stream is captured into at present; null where it is not captured.
std::shared_ptr<SIMTgraph_st> graph_of_capture(const std::shared_ptr<Stream>& stream);

Handles<simtGraph_t, SIMTgraph_st>& graph_handles();
Handles<simtGraphExec_t, SIMTgraphExec_st>& graph_exec_handles();

}  // namespace simtrt
