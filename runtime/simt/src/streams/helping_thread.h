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
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace simtrt {

/// If `stream` is queued, takes the stream out of the queue; the calling thread, for which can_help() is true, is a worker
/// during the object's lifetime. It gives the worker's place back before the work of afterwards().
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

  /// False if the calling thread cannot execute work of the device at present.
  static bool can_help();
  bool helps() const { return thread_.has_value(); }
  /// If the calling thread helps, lets it call `work` as soon as it no longer takes the place of a worker. Such work may
  /// wait, for example for other processes. Returns false if the calling thread does not help.
  static bool afterwards(const std::function<void()>& work);

 private:
  std::optional<RuntimeThread> thread_;
  std::vector<std::function<void()>> afterwards_;
  std::fenv_t arithmetic_{};
  int device_ = 0;
};

}  // namespace simtrt
