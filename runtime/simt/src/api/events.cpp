// simtEvent* and simtStreamWaitEvent.
#include "api/call.h"

#include "streams/child_grids.h"
#include "streams/event.h"
#include "streams/memory_pool.h"

#include <algorithm>
#include <chrono>

using namespace simtrt;

namespace {

template <Callers kAllowed = Callers::kHost, class WorkOfCall>
simtError_t with_event(simtEvent_t handle, WorkOfCall work) {
  return call<kAllowed>([&] {
    const auto event = event_handles().find(handle);
    return event == nullptr ? simtErrorInvalidResourceHandle : work(event);
  });
}

simtError_t record(const std::shared_ptr<SIMTevent_st>& event,
                   const std::shared_ptr<Stream>& stream, unsigned flags) {
  if (stream->device.ordinal != event->device) return simtErrorInvalidResourceHandle;
  const bool external = (flags & simtEventRecordExternal) != 0;
  if (captures_going_on().load() != 0) {
    if (external) {
      bool captured;
      const simtError_t error =
          add_to_capture(stream, {simtGraphNodeTypeEventRecord, {}, event, {}, {}}, &captured);
      if (captured) return error;
    }
    const std::lock_guard lock(capture_mutex());
    if (stream->capture != nullptr) {
      if (stream->capture->invalidated) return simtErrorStreamCaptureInvalidated;
      const std::lock_guard own(event->mutex);
      event->capture = stream->capture;
      event->capture_nodes = stream->capture_tail;
      return simtSuccess;
    }
  }
  // CUDA Runtime API, cudaEventRecordWithFlags: the flag cudaEventRecordExternal is permitted in a
  // capture only.
  if (const simtError_t error = forbid_implicit_wait(stream)) return error;
  return external ? simtErrorIllegalState : record_event(*event, stream);
}

enum class Break { kNo, kYes };

// Error for a call that queries an event or waits for it, if the event was last recorded in a capture. A program may do
// neither: CUDA then invalidates the capture. After the end of the capture, the event has no state.
simtError_t error_of_captured(SIMTevent_st& event, Break breaks) {
  std::shared_ptr<Capture> capture;
  {
    const std::lock_guard lock(event.mutex);
    capture = event.capture;
  }
  if (capture == nullptr) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  if (capture->origin->capture != capture) return simtErrorInvalidValue;
  if (breaks == Break::kYes) capture->invalidated = true;
  return simtErrorCapturedEvent;
}

// Adds a stream to a capture, because the stream waits for an event of the capture.
simtError_t join_capture(const std::shared_ptr<Stream>& stream,
                         const std::shared_ptr<Capture>& capture,
                         const std::vector<std::size_t>& nodes) {
  const std::lock_guard lock(capture_mutex());
  if (capture->origin->capture != capture) return simtErrorInvalidValue;  // the capture has ended
  if (stream->capture != nullptr && stream->capture != capture) {
    stream->capture->invalidated = capture->invalidated = true;
    return simtErrorStreamCaptureMerge;
  }
  if (capture->invalidated) return simtErrorStreamCaptureInvalidated;
  if (stream->legacy) {
    capture->invalidated = true;
    return simtErrorStreamCaptureImplicit;
  }
  if (stream->capture == nullptr) {
    stream->capture = capture;
    capture->members.push_back(stream);
  }
  for (const std::size_t node : nodes) {
    auto& tail = stream->capture_tail;
    if (std::find(tail.begin(), tail.end(), node) == tail.end()) tail.push_back(node);
  }
  return simtSuccess;
}

}  // namespace

simtError_t simtEventCreateWithFlags(simtEvent_t* handle, unsigned flags) {
  return call<Callers::kHostAndKernels>([&] {
    constexpr unsigned known =
        simtEventBlockingSync | simtEventDisableTiming | simtEventInterprocess;
    if (handle == nullptr || (flags & ~known) != 0) return simtErrorInvalidValue;
    // CUDA Runtime API, cudaEventCreateWithFlags: interprocess events have no timing.
    const bool interprocess = (flags & simtEventInterprocess) != 0;
    if (interprocess && (flags & simtEventDisableTiming) == 0) return simtErrorInvalidValue;
    // Programming Guide, "CUDA Dynamic Parallelism", "Events": events that kernels create have no
    // timing.
    if (StreamGrid::current() != nullptr && (flags & simtEventDisableTiming) == 0)
      return simtErrorInvalidValue;
    auto event = std::make_shared<SIMTevent_st>();
    event->flags = flags;
    event->device = Device::current_ordinal();
    if (interprocess && (event->shared = SharedEvent::make()) == nullptr)
      return simtErrorMemoryAllocation;
    *handle = event.get();
    event_handles().add(*handle, std::move(event));
    return simtSuccess;
  });
}

simtError_t simtEventCreate(simtEvent_t* event) {
  if (const simtError_t error = check_caller(Callers::kHost)) return remember(error);
  return simtEventCreateWithFlags(event, simtEventDefault);
}

simtError_t simtEventDestroy(simtEvent_t handle) {
  return call<Callers::kHostAndKernels>([&] {
    return event_handles().remove(handle) == nullptr ? simtErrorInvalidResourceHandle : simtSuccess;
  });
}

simtError_t simtEventRecordWithFlags(simtEvent_t handle, simtStream_t stream_handle,
                                     unsigned flags) {
  return with_stream<Callers::kHostAndKernels>(stream_handle, [&](const auto& stream) {
    if (const simtError_t error = check_capture(stream)) return error;
    const auto event = event_handles().find(handle);
    if (event == nullptr) return simtErrorInvalidResourceHandle;
    if ((flags & ~unsigned{simtEventRecordExternal}) != 0) return simtErrorInvalidValue;
    return record(event, stream, flags);
  });
}

simtError_t simtEventRecord(simtEvent_t event, simtStream_t stream) {
  return simtEventRecordWithFlags(event, stream, simtEventRecordDefault);
}

simtError_t simtEventQuery(simtEvent_t handle) {
  return with_event<Callers::kHostAndFunctions>(handle, [](const auto& event) {
    if (const simtError_t error = error_of_captured(*event, Break::kYes)) return error;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    if (const auto other = record_of_other_process(*event)) return event->shared->state(*other);
    const std::lock_guard lock(event->mutex);
    const Dependency& record = event->record;
    if (record.stream == nullptr) return simtSuccess;
    return record.stream->reached(record.count) ? outcome(record.stream->device)
                                                : simtErrorNotReady;
  });
}

simtError_t simtEventSynchronize(simtEvent_t handle) {
  return with_event<Callers::kHostAndFunctions>(handle, [](const auto& event) {
    if (const simtError_t error = error_of_captured(*event, Break::kYes)) return error;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    if (const auto other = record_of_other_process(*event)) return event->shared->wait(*other);
    Dependency record;
    {
      const std::lock_guard lock(event->mutex);
      record = event->record;
    }
    if (record.stream == nullptr) return simtSuccess;
    record.stream->wait(record.count);
    trim_pools(record.stream->device.ordinal);
    return outcome(record.stream->device);
  });
}

simtError_t simtEventElapsedTime(float* milliseconds, simtEvent_t start, simtEvent_t end) {
  return with_event<Callers::kHostAndFunctions>(start, [&](const auto& first) {
    const auto last = event_handles().find(end);
    if (milliseconds == nullptr) return simtErrorInvalidValue;
    if (last == nullptr) return simtErrorInvalidResourceHandle;
    if (const simtError_t error = error_of_captured(*first, Break::kNo)) return error;
    if (const simtError_t error = error_of_captured(*last, Break::kNo)) return error;
    const auto mark_of = [](SIMTevent_st& event) {
      const std::lock_guard lock(event.mutex);
      return event.mark;
    };
    const auto from = mark_of(*first);
    const auto to = mark_of(*last);
    if (first->device != last->device || from == nullptr || to == nullptr ||
        ((first->flags | last->flags) & simtEventDisableTiming) != 0) {
      return simtErrorInvalidResourceHandle;
    }
    if (!from->reached.load(std::memory_order_acquire) ||
        !to->reached.load(std::memory_order_acquire)) {
      return simtErrorNotReady;
    }
    *milliseconds = std::chrono::duration<float, std::milli>(to->when - from->when).count();
    return simtSuccess;
  });
}

simtError_t simtStreamWaitEvent(simtStream_t stream_handle, simtEvent_t handle, unsigned flags) {
  return with_event<Callers::kHostAndKernels>(handle, [&](const auto& event) {
    if ((flags & ~unsigned{simtEventWaitExternal}) != 0) return simtErrorInvalidValue;
    const auto stream = find_stream(stream_handle);
    if (stream == nullptr) return simtErrorInvalidResourceHandle;
    if ((flags & simtEventWaitExternal) != 0) {
      bool captured;
      const simtError_t error =
          add_to_capture(stream, {simtGraphNodeTypeWaitEvent, {}, event, {}, {}}, &captured);
      if (captured) return error;
      const simtError_t implicit = forbid_implicit_wait(stream);
      return implicit != simtSuccess ? implicit : simtErrorIllegalState;
    }
    std::shared_ptr<Capture> capture;
    std::vector<std::size_t> nodes;
    bool recorded;
    {
      // This scope releases the event's lock first: the lock of captures must not be acquired while
      // an event's lock is held.
      const std::lock_guard lock(event->mutex);
      capture = event->capture;
      nodes = event->capture_nodes;
      recorded = event->record.stream != nullptr;
    }
    recorded = recorded || record_of_other_process(*event).has_value();
    if (capture != nullptr) return join_capture(stream, capture, nodes);
    if (recorded && captures_going_on().load() != 0) {
      const std::lock_guard guard(capture_mutex());
      if (stream->capture != nullptr) {
        if (stream->capture->invalidated) return simtErrorStreamCaptureInvalidated;
        stream->capture->invalidated = true;
        return simtErrorStreamCaptureIsolation;
      }
    }
    return wait_for_record(*event, stream);
  });
}
