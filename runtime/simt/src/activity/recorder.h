// Records of work for profilers: simtpti.h is the interface. Nothing is kept or timed while no kind
// of record is enabled.
//
// Ownership: a Submission lives during one call, on the stack of its thread. Names in records are
// never destroyed, since profilers keep the pointers.
// Threads: any thread submits; the worker that runs the work writes its record.
// Memory ordering: `enabled_kinds` is relaxed. It only switches recording: a call that runs while a
// kind is being enabled may or may not be recorded. Records are ordered by the mutex of Buffers.
#pragma once

#include "streams/work.h"

#include <simtpti.h>

#include <atomic>
#include <cstdint>

namespace simtrt {

class Stream;

namespace activity {

/// Kinds that are enabled, one bit each.
inline std::atomic<std::uint64_t> enabled_kinds{0};

inline bool is_recording() { return enabled_kinds.load(std::memory_order_relaxed) != 0; }
inline bool is_enabled(SIMTpti_ActivityKind kind) {
  return (enabled_kinds.load(std::memory_order_relaxed) >> kind & 1) != 0;
}

/// Nanoseconds since the Unix epoch.
std::uint64_t now();

/// A call that puts work on a stream. Made before the work is there, so that the ids of its thread
/// come before the records of the work; its end is the call's.
class Submission {
 public:
  explicit Submission(const Work& work) {
    if (is_recording()) begin(work);
  }
  ~Submission() {
    if (correlation_ != 0) end();
  }
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  /// Correlation of the records of one call; 0 for work that has no records.
  std::uint32_t correlation() const { return correlation_; }

 private:
  void begin(const Work& work);
  void end();

  std::uint32_t correlation_ = 0;
  SIMTpti_CallbackId call_ = 0;
  std::uint64_t start_ = 0;
};

/// The work that a stream runs at present, where it is recorded.
struct Running {
  const Work* work = nullptr;
  std::uint32_t correlation = 0;
  std::uint64_t start = 0;
};

/// Notes that a stream takes up work that was submitted with this correlation.
inline Running begin(const Work& work, std::uint32_t correlation) {
  return correlation == 0 ? Running{} : Running{&work, correlation, now()};
}
/// Writes the record of work that is done.
void end(const Stream& stream, const Running& running);

}  // namespace activity
}  // namespace simtrt
