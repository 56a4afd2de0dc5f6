// Threads that execute work of the device: their signals, and their stop when the process ends.
//
// Ownership: each thread of the runtime owns a RuntimeThread on its stack, and so does a thread of
// the program while it helps (streams/helping_thread.h). Each thread owns two stacks until it ends:
// one for signal handlers, and one on which the thread continues after a fault. A registry, never
// destroyed, refers to all objects.
// Threads: the owning thread constructs, parks and destroys the object. The thread that ends the
// process calls stop_all(), which reads `working_` and `parked_` of all registered threads.
// Memory ordering: sequential consistency is needed. A thread stores `working_` and then loads the
// state of the process; the ending thread stores that state and then loads `working_`. With acquire
// and release ordering only, each of them could miss the other's store. For `parked_`, release and
// acquire ordering would suffice.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <thread>
#include <utility>

namespace simtrt {

/// Registers the calling thread as a thread of the runtime during the object's lifetime.
///
/// Fault handlers run on a separate stack, because the kernel's stack may be exhausted. A thread that the runtime has
/// started blocks all signals except its own faults, so that handlers of the program run on threads of the program.
class RuntimeThread {
 public:
  /// Who has started the thread. A thread of the program leaves its signals as they are: otherwise no signal could end
  /// a process whose only thread waits for an endless kernel.
  enum class StartedBy { kRuntime, kProgram };

  /// Throws std::bad_alloc.
  explicit RuntimeThread(StartedBy who = StartedBy::kRuntime);
  RuntimeThread(const RuntimeThread&) = delete;
  RuntimeThread& operator=(const RuntimeThread&) = delete;
  ~RuntimeThread();

  /// Object of the calling thread; null on threads of the program that do not help.
  static RuntimeThread* current();

  /// Stops all other threads of the runtime permanently. Each stops at the end of its piece of
  /// work, or inside a kernel. Returns false if some thread was still executing library code after
  /// two seconds.
  static bool stop_all();

  /// Highest address of the stack on which the calling thread continues after a fault outside of a kernel. The first
  /// call of a thread allocates its stacks, and throws std::bad_alloc.
  static void* landing_stack();

 private:
  friend class Working;
  friend struct StopSignal;
  friend void stop_if_process_ends();

  bool is_at_rest() const { return !working_.load() || parked_.load(); }
  [[noreturn]] void park();

  const pthread_t thread_ = pthread_self();
  stack_t signal_stack_before_{};
  std::atomic<bool> working_{false};
  std::atomic<bool> parked_{false};
};

/// Marks the calling thread as executing work of the program during the object's lifetime. Objects
/// may be nested. When the process ends, the thread stops in the destructor.
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

/// Blocks all signals on the calling thread during the object's lifetime.
class SignalsBlocked {
 public:
  SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked();

 private:
  sigset_t before_;
};

/// Starts a thread of the runtime, whose function constructs its RuntimeThread. Until then the thread blocks all
/// signals, which it inherits: otherwise it could receive a signal to the process. Throws std::system_error if the
/// system starts no thread.
template <class Function>
std::thread start_thread(Function&& function) {
  const SignalsBlocked blocked;
  return std::thread(std::forward<Function>(function));
}

/// Called between pieces of work. If the process is ending, stops the calling thread if it belongs
/// to the runtime.
void stop_if_process_ends();

}  // namespace simtrt
