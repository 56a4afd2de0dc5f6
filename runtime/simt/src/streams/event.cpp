#include "streams/event.h"

#include "streams/device.h"

namespace simtrt {

Handles<simtEvent_t, SIMTevent_st>& event_handles() {
  static auto& handles = *new Handles<simtEvent_t, SIMTevent_st>();
  return handles;
}

simtError_t record_event(SIMTevent_st& event, const std::shared_ptr<Stream>& stream) {
  if (const simtError_t error = forbid_implicit_wait(stream)) return error;
  auto mark = std::make_shared<Mark>();
  const std::lock_guard own(event.mutex);
  event.capture = nullptr;
  event.mark = mark;
  event.seen = stream->seen();
  event.record = {stream, stream->device.submit(
                              stream, std::make_shared<const Work>(MarkWork{std::move(mark)}))};
  return simtSuccess;
}

simtError_t wait_for_record(SIMTevent_st& event, const std::shared_ptr<Stream>& stream) {
  if (const simtError_t error = forbid_implicit_wait(stream)) return error;
  Dependency record;
  SeenStreams seen;
  {
    const std::lock_guard own(event.mutex);
    record = event.record;
    seen = event.seen;
  }
  if (record.stream == nullptr || record.stream == stream) return simtSuccess;
  stream->note_wait(record, seen);
  if (record.stream->reached(record.count)) return simtSuccess;
  auto nothing = std::make_shared<const Work>(TaskWork{"simtStreamWaitEvent", [] {}});
  stream->device.submit(stream, std::move(nothing), {std::move(record)});
  return simtSuccess;
}

}  // namespace simtrt
