// Pieces of work on a stream: kernels, host work, event records. A graph stores the same pieces and
// runs them repeatedly.
//
// Ownership: streams and graphs share ownership of a Work, which is constant once it is submitted.
// Threads: the thread that submits the work makes it; the worker that runs it reads it. Memory
// ordering: the mutex of the stream publishes the work. Mark::reached is stored with release
// ordering after `when`, and loaded with acquire ordering before `when` is read, so that a reader
// sees the complete time.
#pragma once

#include "kernel/grid_run.h"

#include <simt_runtime_api.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <variant>

namespace simtrt {

using Clock = std::chrono::steady_clock;

struct KernelWork {
  std::shared_ptr<Kernel> kernel;
  LaunchConfig config;
  bool cooperative = false;
  unsigned depth = 0;  ///< 0 if launched by the host; otherwise 1 more than the launching grid
};

/// Work for one worker: copies, memsets, library calls.
struct TaskWork {
  const char* name;
  std::function<void()> run;
  /// The thread that submits the work runs it if the stream is idle: to wake a worker takes longer.
  bool is_short = false;
};

/// Function of the program, which may take long and therefore runs on the host thread. The function
/// receives the device's error.
struct HostWork {
  std::function<void(simtError_t)> run;
  bool even_after_error = false;  ///< simtStreamAddCallback: also called after an error
};

/// Work that another thread performs, for example a collective. `start` returns at once; the work is
/// complete when `done` is called, once, on any thread. `start` receives the device's error: with an
/// error, the work must not touch device memory, but must call `done`. `name` outlives the work.
struct LaterWork {
  const char* name;
  std::function<void(simtError_t error, std::function<void()> done)> start;
};

/// Time at which an event was reached on its stream.
struct Mark {
  std::atomic<bool> reached{false};
  Clock::time_point when;
};

struct MarkWork {
  std::shared_ptr<Mark> mark;
};

using Work = std::variant<KernelWork, TaskWork, HostWork, LaterWork, MarkWork>;

}  // namespace simtrt
