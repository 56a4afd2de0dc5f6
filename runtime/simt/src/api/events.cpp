// simtEvent* and simtStreamWaitEvent.
#include "api/call.h"

#include "streams/event.h"

#include <algorithm>
#include <chrono>

namespace simtrt {

Handles<simtEvent_t, SIMTevent_st>& event_handles() {
  static auto& handles = *new Handles<simtEvent_t, SIMTevent_st>();
  return handles;
}

}  // namespace simtrt

using namespace simtrt;

namespace {

template <class WorkOfCall>
simtError_t with_event(simtEvent_t handle, WorkOfCall work) {
  return call([&] {
    const auto event = event_handles().find(handle);
    return event == nullptr ? simtErrorInvalidResourceHandle : work(*event);
  });
}

simtError_t record(SIMTevent_st& event, const std::shared_ptr<Stream>& stream) {
  if (stream->device.ordinal != event.device) return simtErrorInvalidResourceHandle;
  if (captures_going_on().load() != 0) {
    const std::lock_guard lock(capture_mutex());
    if (stream->capture != nullptr) {
      if (stream->capture->invalidated) return simtErrorStreamCaptureInvalidated;
      const std::lock_guard own(event.mutex);
      event.capture = stream->capture;
      event.capture_nodes = stream->capture_tail;
      return simtSuccess;
    }
  }
  auto mark = std::make_shared<Mark>();
  const std::lock_guard own(event.mutex);
  event.capture = nullptr;
  event.mark = mark;
  event.stream = stream;
  event.count =
      stream->device.submit(stream, std::make_shared<const Work>(MarkWork{std::move(mark)}));
  return simtSuccess;
}

// A stream joins a capture by waiting for one of its events.
simtError_t join_capture(const std::shared_ptr<Stream>& stream,
                         const std::shared_ptr<Capture>& capture,
                         const std::vector<std::size_t>& nodes) {
  const std::lock_guard lock(capture_mutex());
  if (capture->origin->capture != capture) return simtErrorCapturedEvent;  // it has ended
  if (stream->capture != nullptr && stream->capture != capture) {
    stream->capture->invalidated = true;
    return simtErrorStreamCaptureMerge;
  }
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
  return call([&] {
    constexpr unsigned known =
        simtEventBlockingSync | simtEventDisableTiming | simtEventInterprocess;
    if (handle == nullptr || (flags & ~known) != 0) return simtErrorInvalidValue;
    // Events for other processes may not take the time, and there are no other processes.
    if ((flags & simtEventInterprocess) != 0) {
      return (flags & simtEventDisableTiming) == 0 ? simtErrorInvalidValue : simtErrorNotSupported;
    }
    auto event = std::make_shared<SIMTevent_st>();
    event->flags = flags;
    event->device = Device::current_ordinal();
    *handle = event.get();
    event_handles().add(*handle, std::move(event));
    return simtSuccess;
  });
}

simtError_t simtEventCreate(simtEvent_t* event) {
  return simtEventCreateWithFlags(event, simtEventDefault);
}

simtError_t simtEventDestroy(simtEvent_t handle) {
  return call([&] {
    return event_handles().remove(handle) == nullptr ? simtErrorInvalidResourceHandle : simtSuccess;
  });
}

simtError_t simtEventRecordWithFlags(simtEvent_t handle, simtStream_t stream_handle,
                                     unsigned flags) {
  return with_event(handle, [&](SIMTevent_st& event) {
    if ((flags & ~unsigned{simtEventRecordExternal}) != 0) return simtErrorInvalidValue;
    const auto stream = find_stream(stream_handle);
    return stream == nullptr ? simtErrorInvalidResourceHandle : record(event, stream);
  });
}

simtError_t simtEventRecord(simtEvent_t event, simtStream_t stream) {
  return simtEventRecordWithFlags(event, stream, simtEventRecordDefault);
}

simtError_t simtEventQuery(simtEvent_t handle) {
  return with_event(handle, [](SIMTevent_st& event) {
    const std::lock_guard lock(event.mutex);
    if (event.capture != nullptr) return simtErrorCapturedEvent;
    if (event.stream == nullptr) return simtSuccess;
    return event.stream->reached(event.count) ? outcome(event.stream->device) : simtErrorNotReady;
  });
}

simtError_t simtEventSynchronize(simtEvent_t handle) {
  return with_event(handle, [](SIMTevent_st& event) {
    std::unique_lock lock(event.mutex);
    if (event.capture != nullptr) return simtErrorCapturedEvent;
    const auto stream = event.stream;
    const std::uint64_t count = event.count;
    lock.unlock();
    if (stream == nullptr) return simtSuccess;
    stream->wait(count);
    return outcome(stream->device);
  });
}

simtError_t simtEventElapsedTime(float* milliseconds, simtEvent_t start, simtEvent_t end) {
  return with_event(start, [&](SIMTevent_st& first) {
    const auto last = event_handles().find(end);
    if (milliseconds == nullptr) return simtErrorInvalidValue;
    if (last == nullptr) return simtErrorInvalidResourceHandle;
    const auto mark_of = [](SIMTevent_st& event) {
      const std::lock_guard lock(event.mutex);
      return event.mark;
    };
    const auto from = mark_of(first);
    const auto to = mark_of(*last);
    if (first.device != last->device || from == nullptr || to == nullptr ||
        ((first.flags | last->flags) & simtEventDisableTiming) != 0) {
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
  return with_event(handle, [&](SIMTevent_st& event) {
    if ((flags & ~unsigned{simtEventWaitExternal}) != 0) return simtErrorInvalidValue;
    const auto stream = find_stream(stream_handle);
    if (stream == nullptr) return simtErrorInvalidResourceHandle;
    std::unique_lock lock(event.mutex);
    const auto capture = event.capture;
    const auto nodes = event.capture_nodes;
    const auto recorded = event.stream;
    const std::uint64_t count = event.count;
    lock.unlock();  // the lock of captures is never taken under that of an event
    if (capture != nullptr) return join_capture(stream, capture, nodes);
    if (recorded == nullptr) return simtSuccess;
    if (captures_going_on().load() != 0) {
      const std::lock_guard guard(capture_mutex());
      if (stream->capture != nullptr) {
        stream->capture->invalidated = true;
        return simtErrorStreamCaptureIsolation;
      }
    }
    if (recorded == stream || recorded->reached(count)) return simtSuccess;
    auto nothing = std::make_shared<const Work>(TaskWork{"simtStreamWaitEvent", [] {}});
    stream->device.submit(stream, std::move(nothing), {{recorded, count}});
    return simtSuccess;
  });
}
