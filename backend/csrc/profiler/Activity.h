// Records of what the device did while a profiler looked, and where they come from.
//
// A vendor with an activity API (CUPTI's, or one that resembles it) registers a source of its own:
// backend/with/cupti. Without one, events around each op say how long the device took for it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace at::cuda::backend::profiler {

enum class Kind { kKernel, kCopy, kFill, kCall };

struct Record {
  Kind kind = Kind::kKernel;
  std::string name;  // empty: that of the op
  int64_t start = 0;  // nanoseconds since the Unix epoch
  int64_t end = 0;
  int32_t device = 0;
  int32_t stream = 0;
  int32_t thread = 0;         // of a call: the operating system's
  uint32_t correlation = 0;   // links a call with the work it put on a stream; 0: none
  uint64_t op = 0;            // the innermost op of the thread at that time; 0: none
  uint64_t bytes = 0;         // of a copy or a fill, where the source knows it
  std::array<int32_t, 3> grid{};
  std::array<int32_t, 3> block{};
};

class Source {
 public:
  virtual ~Source() = default;

  virtual void start() = 0;
  virtual void stop() = 0;

  // An op begins, or ends, on the calling thread.
  virtual void push(uint64_t op) = 0;
  virtual void pop() = 0;

  // What was recorded between start and stop, of all threads. Work that is on a stream still has no
  // record.
  virtual std::vector<Record> take() = 0;
};

using MakeSource = std::unique_ptr<Source> (*)();

// The vendor's activity API; called while the library is loaded.
void register_source(MakeSource make);

// The vendor's, unless there is none or the environment asks for events:
// TORCH_<UPPER>_PROFILER=events.
std::unique_ptr<Source> make_source();

std::unique_ptr<Source> make_event_source();

}  // namespace at::cuda::backend::profiler
