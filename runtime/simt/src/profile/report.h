// Table and trace of a profile.
//
// Ownership: the record of the process owns everything. Threads: the mutex guards all but the atomic counters.
// Memory ordering: see profile.h.
#pragma once

#include <simtrt/kernel/launch.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace simtrt::profile {

/// Greatest number of launches in a trace: 64 bytes each.
inline constexpr std::size_t kMostEvents = 1 << 20;

/// Sums over all launches of a kernel.
struct Totals {
  Totals(const LaunchSite& site, const void* address) : site(site), address(address) {}

  const LaunchSite site;
  const void* const address;  ///< of the kernel; null if it is unknown
  std::uint64_t launches = 0;
  std::uint64_t threads = 0;
  std::size_t shared_bytes = 0;  ///< greatest dynamic shared memory of a launch
  std::atomic<std::uint64_t> blocks{0};
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> switches{0};
  std::atomic<std::uint64_t> switch_ticks{0};
  std::atomic<std::uint64_t> barriers{0};
  std::atomic<std::uint64_t> collectives{0};
};

/// One launch, for the trace.
struct Event {
  const Totals* kernel;
  std::uint64_t start;  ///< in ticks
  std::uint64_t end;
  int device;
  std::uint64_t stream;
  dim3 grid;
  dim3 block;
};

struct Record {
  std::mutex mutex;
  std::string file;  ///< of the trace; empty if there is none
  std::deque<Totals> kernels;
  std::vector<Event> events;
  std::uint64_t lost_events = 0;
  std::uint64_t begin_ticks = 0;
  std::uint64_t begin_nanoseconds = 0;
};

/// Writes the table to stderr. A tick has `scale` nanoseconds. The caller holds the mutex.
void write_table(const Record& record, double scale);

/// Writes the trace, in the format of Chrome's about:tracing and of Perfetto. In the file's name, %p is the number of the
/// process. The caller holds the mutex.
void write_trace(const Record& record, double scale);

}  // namespace simtrt::profile
