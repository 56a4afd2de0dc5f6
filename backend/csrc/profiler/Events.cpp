// Device time of each operator, measured by events, for vendors without an activity API.
//
// An event is recorded at the start and at the end of each operator. The time between two consecutive events of a
// stream belongs to the operator that ran between them; so the time of an operator excludes the operators that it
// calls. On an idle stream an event completes immediately; then the time includes the host's time for the launch.

#include "../release/Clock.h"
#include "Activity.h"

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/irange.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

namespace at::cuda::backend::profiler {
namespace {

using at::cuda::CUDAEvent;
using c10::cuda::CUDAStream;

struct Mark {
  CUDAEvent event{cudaEventDefault};  // with timing
  CUDAStream stream;
  uint64_t op;  // operator that runs after this event; 0: none

  Mark(CUDAStream stream, uint64_t op) : stream(stream), op(op) { event.record(stream); }
};

struct ThreadMarks {
  std::vector<uint64_t> ops;
  std::vector<Mark> marks;
};

int64_t nanoseconds(const CUDAEvent& from, const CUDAEvent& to) {
  return static_cast<int64_t>(double{from.elapsed_time(to)} * 1e6);
}

// Reference event of a device, and the host's time at which it completed.
struct Origin {
  CUDAEvent event;
  int64_t time = 0;
  int64_t empty = std::numeric_limits<int64_t>::max();  // ns between events without work

  // Measures several times and takes the shortest measurement, because other work of the host may
  // delay a measurement.
  explicit Origin(CUDAStream stream) {
    constexpr int kTries = 8;
    int64_t shortest = std::numeric_limits<int64_t>::max();
    for ([[maybe_unused]] const auto i : c10::irange(kTries)) {
      CUDAEvent first{cudaEventDefault}, second{cudaEventDefault};
      const int64_t begin = getTime();
      first.record(stream);
      second.record(stream);
      second.synchronize();
      const int64_t end = getTime();
      const int64_t between = nanoseconds(first, second);
      empty = std::min(empty, between);
      if (end - begin < shortest) {
        shortest = end - begin;
        event = std::move(first);
        time = end - between;
      }
    }
  }
};

class EventSource final : public Source {
 public:
  void start() override {}
  void stop() override {}

  void push(uint64_t op) override {
    ThreadMarks& own = ofThread();
    own.ops.push_back(op);
    mark(own, op);
  }

  void pop() override {
    ThreadMarks& own = ofThread();
    if (own.ops.empty()) {
      return;
    }
    own.ops.pop_back();
    mark(own, own.ops.empty() ? 0 : own.ops.back());
  }

  std::vector<Record> take() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Record> records;
    for (const auto& [thread, own] : threads_) {
      append(records, own.marks);
    }
    threads_.clear();
    return records;
  }

 private:
  ThreadMarks& ofThread() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return threads_[std::this_thread::get_id()];
  }

  void mark(ThreadMarks& own, uint64_t op) {
    // An operator that runs on the CPU must not create a context on the device. Events recorded in
    // a graph capture have no times.
    if (!c10::cuda::hasPrimaryContext(c10::cuda::current_device())) {
      return;
    }
    const CUDAStream stream = c10::cuda::getCurrentCUDAStream();
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    C10_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
    if (status != cudaStreamCaptureStatusNone) {
      return;
    }
    originOf(stream);
    own.marks.emplace_back(stream, op);
  }

  const Origin& originOf(CUDAStream stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = origins_.find(stream.device_index());
    return found != origins_.end()
               ? found->second
               : origins_.try_emplace(stream.device_index(), stream).first->second;
  }

  void append(std::vector<Record>& records, const std::vector<Mark>& marks) {
    for (size_t i = 0; i + 1 < marks.size(); ++i) {
      const Mark& from = marks[i];
      const Mark& to = marks[i + 1];
      if (from.op == 0 || from.stream != to.stream) {
        continue;
      }
      const Origin& origin = origins_.at(from.stream.device_index());
      to.event.synchronize();
      const int64_t taken = nanoseconds(from.event, to.event);
      if (taken <= 2 * origin.empty) {
        continue;  // no work of the operator itself
      }
      Record record;
      record.op = from.op;
      record.start = origin.time + nanoseconds(origin.event, from.event);
      record.end = record.start + taken;
      record.device = from.stream.device_index();
      record.stream = static_cast<int32_t>(from.stream.id());
      records.push_back(std::move(record));
    }
  }

  std::mutex mutex_;
  std::map<std::thread::id, ThreadMarks> threads_;
  std::map<DeviceIndex, Origin> origins_;
};

}  // namespace

std::unique_ptr<Source> make_event_source() { return std::make_unique<EventSource>(); }

}  // namespace at::cuda::backend::profiler
