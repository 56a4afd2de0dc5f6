// Records of work for profilers; simtpti.h is the interface. While no kind of record is enabled,
// nothing is stored or timed.
//
// Ownership: a Submission lives during one call, on the stack of its thread. Names in records are
// never freed, because profilers keep the pointers.
// Threads: any thread submits work; the worker that runs the work writes the record.
// Memory ordering: accesses to `enabled_kinds` are relaxed, because it only switches recording: a
// call that runs while a kind is being enabled may or may not be recorded. The mutex of Buffers
// protects the records.
#pragma once

#include "streams/work.h"

#include <simtpti.h>

#include <atomic>
#include <cstdint>

namespace simtrt {

class Stream;

namespace activity {

/// Enabled kinds of records, one bit for each.
inline std::atomic<std::uint64_t> enabled_kinds{0};

inline bool is_recording() { return enabled_kinds.load(std::memory_order_relaxed) != 0; }
inline bool is_enabled(SIMTpti_ActivityKind kind) {
  return (enabled_kinds.load(std::memory_order_relaxed) >> kind & 1) != 0;
}

/// Nanoseconds since the Unix epoch.
std::uint64_t now();

/// A call that submits work to a stream. The object is constructed before the work exists, so that
/// the thread's external ids precede the records of the work. Its destructor marks the end of the
/// call.
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

  /// Correlation id of the records of one call; 0 for work without records.
  std::uint32_t correlation() const { return correlation_; }

 private:
  void begin(const Work& work);
  void end();

  std::uint32_t correlation_ = 0;
  SIMTpti_CallbackId call_ = 0;
  std::uint64_t start_ = 0;
};

/// Recorded work that a stream is running.
struct Running {
  const Work* work = nullptr;
  std::uint32_t correlation = 0;
  std::uint64_t start = 0;
};

/// Begins the record of work that was submitted with this correlation id.
inline Running begin(const Work& work, std::uint32_t correlation) {
  return correlation == 0 ? Running{} : Running{&work, correlation, now()};
}
/// Writes the record of completed work.
void end(const Stream& stream, const Running& running);

}  // namespace activity
}  // namespace simtrt
