// Execution of one launch: state that the workers of its blocks share.
//
// Ownership: the stream that executes the launch owns the GridRun (as a StreamGrid) until every
// block has ended. The GridRun shares ownership of the kernel. It does not own `barrier`. Threads:
// every worker that runs a block of the launch may call fail() and error(). Memory ordering:
// `error_` changes once: the compare-exchange succeeds for the first fault only. error() is an
// acquire load: a thread that sees the error also sees all earlier writes of the failing thread.
// All other members are set before workers receive the GridRun.
#pragma once

#include "kernel/kernel.h"
#include "profile/profile.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace simtrt {

class GridBarrier;

/// Launch in execution. Blocks are numbered from 0 with x fastest.
class GridRun {
 public:
  GridRun(std::shared_ptr<Kernel> kernel, const LaunchConfig& config)
      : kernel(std::move(kernel)), config(config) {}

  /// Records the first fault of the launch and prints its report on stderr. Blocks that have not
  /// begun are skipped. Later faults are ignored.
  void fail(simtError_t error, const std::string& report);
  simtError_t error() const { return error_.load(std::memory_order_acquire); }

  const std::shared_ptr<Kernel> kernel;
  const LaunchConfig config;
  /// Barrier of a cooperative launch; null for other launches.
  GridBarrier* barrier = nullptr;
  /// Number of the launch for the checkers (check/order.h).
  std::uint32_t check_run = 0;
  /// Measurement of the launch; empty unless the process is profiled.
  std::optional<profile::Launch> profile;

 private:
  std::atomic<simtError_t> error_{simtSuccess};
};

}  // namespace simtrt
