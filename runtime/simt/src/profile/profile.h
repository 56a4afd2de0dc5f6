// Profile of kernels: the environment variable SIMT_PROFILE.
//
// Ownership: the totals of a kernel live as long as the process. A Launch belongs to the GridRun that it measures.
// Threads: each worker that runs blocks of a launch adds to the totals; any thread ends a launch.
// Memory ordering: the totals are relaxed counters, which the report reads after the workers have stopped.
#pragma once

#include <simtrt/kernel/launch.h>

#include <cstdint>

namespace simtrt::profile {

/// True if the process is profiled. The constructor of the library sets it.
extern bool active;

/// Time in units of the processor's counter, which runs at a constant rate.
std::uint64_t ticks();

/// Numbers of actions of a block's threads.
struct Counts {
  std::uint64_t switches = 0;      ///< waits in which another thread ran
  std::uint64_t barriers = 0;      ///< arrivals at barriers of the block
  std::uint64_t collectives = 0;   ///< arrivals at shuffles, votes and other collectives of a warp
  std::uint64_t switch_ticks = 0;  ///< time from the begin of a wait until another thread runs
};

struct Totals;

/// Measurement of one launch, from its construction to end().
class Launch {
 public:
  Launch(const LaunchSite& site, const LaunchConfig& config, int device, std::uint64_t stream);

  /// Adds a block that ran for `time` ticks.
  void add(const Counts& counts, std::uint64_t time) const;
  void end() const;

 private:
  Totals& totals_;
  const LaunchConfig config_;
  const int device_;
  const std::uint64_t stream_;
  const std::uint64_t start_;
};

/// Writes the table of kernels to stderr, and the trace to the file that SIMT_PROFILE names, if it names one.
void write_report();

}  // namespace simtrt::profile
