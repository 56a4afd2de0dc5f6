// Execution of one launch: state that the workers of its blocks share.
//
// Ownership: the stream that executes the launch owns the GridRun (as a StreamGrid) until every
// block has ended. The GridRun shares ownership of the kernel. It does not own `barrier`. Threads:
// every worker that runs a block of the launch may call fail() and error(). Memory ordering:
// `error_` changes once, by a compare-exchange that only the first fault wins. error() is an
// acquire load and pairs with that exchange: a thread that sees the error sees what the failing
// thread wrote before it. All other members are set before workers see the GridRun.
#pragma once

#include "kernel/kernel.h"

#include <atomic>
#include <memory>
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
  /// Barrier of a cooperative launch; else null.
  GridBarrier* barrier = nullptr;

 private:
  std::atomic<simtError_t> error_{simtSuccess};
};

}  // namespace simtrt
