// Threads that the runtime starts: their signals, and their stop when the process ends.
//
// Ownership: each thread of the runtime owns a RuntimeThread on its stack, which owns the stacks for
// signal handlers and for landing. A registry, never destroyed, refers to all of them.
// Threads: the owning thread constructs, parks and destroys the object. The thread that ends the
// process calls stop_all(), which reads `working_` and `parked_` of the others.
// Memory ordering: sequential consistency is needed. A thread stores `working_` and then loads the
// state of the process; the ending thread stores that state and then loads `working_`. With acquire
// and release alone both could miss the other's store. For `parked_` release and acquire would do.
#pragma once

#include <pthread.h>

#include <atomic>

namespace simtrt {

/// The calling thread as one of the runtime's, while this lives.
///
/// Signals that are not its own faults go to the program's threads: a handler of the program must not
/// run on the stack of a kernel's thread. Handlers of faults run on a stack of their own, since the
/// kernel's may be exhausted.
class RuntimeThread {
 public:
  RuntimeThread();
  RuntimeThread(const RuntimeThread&) = delete;
  RuntimeThread& operator=(const RuntimeThread&) = delete;
  ~RuntimeThread();

  /// Null on threads of the program.
  static RuntimeThread* current();

  /// Stops all but the calling thread for good: each at the end of a piece of work, or where it
  /// stands in a kernel that goes on. False where one was still busy in a library after two seconds.
  static bool stop_all();

  /// Memory below which a thread goes on after a fault outside of a kernel.
  void* landing_stack() const { return landing_stack_; }

 private:
  friend class Working;
  friend struct StopSignal;
  friend void stop_if_process_ends();

  bool is_at_rest() const { return !working_.load() || parked_.load(); }
  [[noreturn]] void park();

  const pthread_t thread_ = pthread_self();
  void* stacks_ = nullptr;         ///< of handlers of signals, and for landing
  void* landing_stack_ = nullptr;  ///< its end
  std::atomic<bool> working_{false};
  std::atomic<bool> parked_{false};
};

/// The calling thread does work of the program's while this lives. May be nested. Once the process
/// ends, the thread stops here.
class Working {
 public:
  Working();
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;
  ~Working();

 private:
  RuntimeThread* const thread_;
  const bool outer_;
};

/// Between pieces of work: stops the calling thread, if it is the runtime's and the process ends.
void stop_if_process_ends();

}  // namespace simtrt
