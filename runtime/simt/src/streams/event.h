// Events: points in the work of a stream for which other work can wait.
//
// Ownership: an event is shared by its handle and by the graphs whose nodes refer to the event. An
// event shares ownership of the stream of its last record.
// Threads: any thread. `mutex` guards the members. A thread that also needs the lock of captures
// (graph.h) acquires that lock first.
// Memory ordering: the mutex orders the members; Mark (work.h) orders the time of the record.
#pragma once

#include "handles.h"
#include "streams/graph.h"
#include "streams/shared_event.h"

#include <memory>
#include <mutex>
#include <optional>

struct SIMTevent_st {
  std::mutex mutex;
  unsigned flags = 0;
  int device = 0;
  /// Last record of the event; without a stream if the event was never recorded.
  simtrt::Dependency record;
  /// Work for which the recording stream had already waited at the time of the record.
  simtrt::SeenStreams seen;
  std::shared_ptr<simtrt::Mark> mark;
  /// If the last record was captured: the capture, and the nodes that precede the record.
  std::shared_ptr<simtrt::Capture> capture;
  std::vector<std::size_t> capture_nodes;
  /// State of an interprocess event, constant; null for other events.
  std::shared_ptr<simtrt::SharedEvent> shared;
  /// For an interprocess event: number of the record in `record`.
  std::uint64_t shared_number = 0;
};

namespace simtrt {

Handles<simtEvent_t, SIMTevent_st>& event_handles();

/// Submits a record of the event to a stream. Errors: simtErrorStreamCaptureImplicit.
simtError_t record_event(SIMTevent_st& event, const std::shared_ptr<Stream>& stream);
/// Last record of an interprocess event, if another process made it; empty otherwise.
std::optional<SharedEvent::Record> record_of_other_process(SIMTevent_st& event);
/// Makes a stream wait for the last record of the event outside of captures. Errors: simtErrorStreamCaptureImplicit.
simtError_t wait_for_record(SIMTevent_st& event, const std::shared_ptr<Stream>& stream);

}  // namespace simtrt
