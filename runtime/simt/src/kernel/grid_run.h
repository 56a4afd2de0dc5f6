// One launch while it runs: what the workers that share its blocks have in common.
#pragma once

#include "kernel/kernel.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace simtrt {

class GridBarrier;

/// A launch that runs. Blocks are numbered from 0 with x fastest.
class GridRun {
 public:
  GridRun(std::shared_ptr<Kernel> kernel, const LaunchConfig& config)
      : kernel(std::move(kernel)), config(config) {}

  /// Notes the first fault of the launch and tells it on stderr; what has not begun is then not
  /// run.
  void fail(simtError_t error, const std::string& report);
  simtError_t error() const { return error_.load(std::memory_order_acquire); }

  const std::shared_ptr<Kernel> kernel;
  const LaunchConfig config;
  /// Of a cooperative launch, else null.
  GridBarrier* barrier = nullptr;

 private:
  std::atomic<simtError_t> error_{simtSuccess};
};

/// Meets all blocks of a cooperative launch, each on a thread of its own.
class GridBarrier {
 public:
  GridBarrier(std::uint64_t blocks, GridRun& run) : blocks_(blocks), run_(run) {}

  /// Waits for the other blocks; false where the launch has failed meanwhile.
  bool wait();

 private:
  const std::uint64_t blocks_;
  GridRun& run_;
  std::atomic<std::uint64_t> arrived_{0};
  std::atomic<std::uint64_t> generation_{0};
};

}  // namespace simtrt
