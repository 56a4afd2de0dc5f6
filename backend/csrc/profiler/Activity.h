// Records of the device's work for a profiler, and the sources of these records.
//
// A vendor with an activity API (CUPTI or a similar one) registers a source: backend/with/cupti.
// Without such an API, events before and after each operator measure its time on the device.
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
  std::string name;  // empty: name of the operator
  int64_t start = 0;  // nanoseconds since the Unix epoch
  int64_t end = 0;
  int32_t device = 0;
  int32_t stream = 0;
  int32_t thread = 0;         // for a call: thread id of the operating system
  uint32_t correlation = 0;   // links a call with the work that it submitted; 0: none
  uint64_t op = 0;            // innermost operator of the thread at that time; 0: none
  uint64_t bytes = 0;         // size of a copy or fill; 0 if unknown
  std::array<int32_t, 3> grid{};
  std::array<int32_t, 3> block{};
};

class Source {
 public:
  virtual ~Source() = default;

  virtual void start() = 0;
  virtual void stop() = 0;

  // Called on the operator's own thread, at its start (`push`) and at its end (`pop`).
  virtual void push(uint64_t op) = 0;
  virtual void pop() = 0;

  // Records of all threads between `start` and `stop`. Work that a stream has not completed has no
  // record.
  virtual std::vector<Record> take() = 0;
};

using MakeSource = std::unique_ptr<Source> (*)();

// Registers the vendor's activity API; called while the library is loaded.
void register_source(MakeSource make);

// Source of records: the vendor's activity API, or events if no such API is registered or if the
// environment contains TORCH_<UPPER>_PROFILER=events.
std::unique_ptr<Source> make_source();

std::unique_ptr<Source> make_event_source();

}  // namespace at::cuda::backend::profiler
