#include "streams/event.h"

#include "process/runtime_thread.h"
#include "streams/device.h"

#include <cstdio>
#include <system_error>
#include <thread>

namespace simtrt {
namespace {

/// Record of an interprocess event by this process. After a fault, the stream destroys the work
/// without running it: the record has then failed.
class OwnRecord {
 public:
  explicit OwnRecord(std::shared_ptr<SharedEvent> event)
      : number(event->begin_record()), event_(std::move(event)) {}
  OwnRecord(const OwnRecord&) = delete;
  OwnRecord& operator=(const OwnRecord&) = delete;
  ~OwnRecord() {
    if (!ended_) event_->end_record(number, false);
  }
  void reach() {
    event_->end_record(number, true);
    ended_ = true;
  }

  const std::uint64_t number;

 private:
  std::shared_ptr<SharedEvent> event_;
  bool ended_ = false;
};

void wait_for_process(const SharedEvent& event, const SharedEvent::Record& record, Device& device) {
  if (event.wait(record) == simtSuccess) return;
  std::fprintf(stderr,
               "simt: simtStreamWaitEvent: process %d ended or failed before it reached the event's "
               "record\n",
               record.process);
  device.set_sticky(simtErrorLaunchFailure);
}

// Makes a stream wait for a record of another process, on a thread of its own: workers stay free.
simtError_t wait_on_stream(const std::shared_ptr<SharedEvent>& event,
                           const SharedEvent::Record& record,
                           const std::shared_ptr<Stream>& stream) {
  if (event->is_reached(record)) return simtSuccess;
  Device& device = stream->device;
  const auto start = [event, record, &device](simtError_t error, std::function<void()> done) {
    if (error != simtSuccess || event->is_reached(record)) return done();
    try {
      start_thread([event, record, &device, done] {
        const RuntimeThread thread;
        wait_for_process(*event, record, device);
        done();
      }).detach();
    } catch (const std::system_error&) {
      wait_for_process(*event, record, device);
      done();
    }
  };
  device.submit(stream, std::make_shared<const Work>(LaterWork{"simtStreamWaitEvent", start}));
  return simtSuccess;
}

}  // namespace

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
  if (event.shared != nullptr) {
    const auto own_record = std::make_shared<OwnRecord>(event.shared);
    event.shared_number = own_record->number;
    event.record.count = stream->device.submit(
        stream, std::make_shared<const Work>(
                    TaskWork{"simtEventRecord", [own_record] { own_record->reach(); }}));
  }
  return simtSuccess;
}

std::optional<SharedEvent::Record> record_of_other_process(SIMTevent_st& event) {
  if (event.shared == nullptr) return std::nullopt;
  const std::lock_guard own(event.mutex);
  const SharedEvent::Record last = event.shared->last();
  if (last.number == 0 || last.number == event.shared_number) return std::nullopt;
  return last;
}

simtError_t wait_for_record(SIMTevent_st& event, const std::shared_ptr<Stream>& stream) {
  if (const simtError_t error = forbid_implicit_wait(stream)) return error;
  if (const auto other = record_of_other_process(event))
    return wait_on_stream(event.shared, *other, stream);
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
