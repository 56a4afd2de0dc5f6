// Threads of the program that execute the work for which they wait, in place of an idle worker: to
// wake a worker takes longer than most kernels of a small program.
//
// Ownership: a HelpingThread lives on the stack of the thread that waits.
// Threads: each object belongs to one thread. Memory ordering: the mutex of Workers orders the
// streams' state; there are no atomics.
#pragma once

#include "process/runtime_thread.h"
#include "streams/workers.h"

#include <cfenv>
#include <memory>
#include <optional>

namespace simtrt {

/// If the calling thread can execute work of the device and `stream` is queued, takes the stream out of the queue; the
/// thread is a worker during the object's lifetime.
///
/// Work runs as on a worker: with the default floating-point environment, and with any current device. Both are restored
/// afterwards. A thread cannot help while it executes work already, if its stack is small or unknown, or during a session
/// of the checkers, which distinguish the host from the device by the thread.
class HelpingThread {
 public:
  explicit HelpingThread(const std::shared_ptr<Runnable>& stream);
  HelpingThread(const HelpingThread&) = delete;
  HelpingThread& operator=(const HelpingThread&) = delete;
  ~HelpingThread();

  bool helps() const { return thread_.has_value(); }

 private:
  std::optional<RuntimeThread> thread_;
  std::fenv_t arithmetic_{};
  int device_ = 0;
};

}  // namespace simtrt
