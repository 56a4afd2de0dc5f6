// Events: moments on a stream that others can wait for.
//
// Ownership: an event is shared by its handle and by the graphs whose nodes name it. It shares
// ownership of the stream of its last record.
// Threads: any thread. `mutex` guards the members. A thread that needs the lock of captures (graph.h)
// as well takes that one first.
// Memory ordering: the mutex, and that of Mark (work.h) for the time of the record.
#pragma once

#include "handles.h"
#include "streams/graph.h"

#include <memory>
#include <mutex>

struct SIMTevent_st {
  std::mutex mutex;
  unsigned flags = 0;
  int device = 0;
  /// The last record of it; without a stream while it was never recorded.
  simtrt::Dependency record;
  /// Work that the stream of the record had waited for by then.
  simtrt::SeenStreams seen;
  std::shared_ptr<simtrt::Mark> mark;
  /// Recorded last on a stream that was being captured: the nodes that come before.
  std::shared_ptr<simtrt::Capture> capture;
  std::vector<std::size_t> capture_nodes;
};

namespace simtrt {

Handles<simtEvent_t, SIMTevent_st>& event_handles();

/// Puts a record of the event on a stream. Errors: simtErrorStreamCaptureImplicit.
simtError_t record_event(SIMTevent_st& event, const std::shared_ptr<Stream>& stream);
/// Lets a stream wait for the last record of the event that was no part of a capture. Errors:
/// simtErrorStreamCaptureImplicit.
simtError_t wait_for_record(SIMTevent_st& event, const std::shared_ptr<Stream>& stream);

}  // namespace simtrt
