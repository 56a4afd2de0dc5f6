// Work of the device outside of kernels (copies, libraries, algorithms of thrust). A fault in the
// code of such work ends the work, not the process.
//
// Ownership: a Guard lives on the stack of failure_of(). Guards of one thread form a chain by
// `outer`, innermost first.
// Threads: each thread has its own chain. The signal handler reads it on the same thread.
// Memory ordering: there are no atomics; nothing is shared between threads.
#pragma once

#include "kernel/fault.h"

#include <simt_runtime_api.h>

#include <exception>
#include <stdexcept>
#include <string>

namespace simtrt {

class BlockScheduler;

/// Exception for a signal that device code has raised.
class DeviceFault : public std::runtime_error {
 public:
  DeviceFault(simtError_t error, const std::string& what)
      : std::runtime_error(what), error(error) {}
  const simtError_t error;
};

/// Calls `call(work)` and returns the exception that it throws, or a DeviceFault; null on success.
/// A fault leaves frames without running their destructors. install_fault_handlers() installs the
/// handlers. Calls may be nested.
std::exception_ptr failure_of(void (*call)(const void* work), const void* work);

/// Same as failure_of above, for a callable object: calls `work()` and returns its exception, or
/// null.
template <class Work>
std::exception_ptr failure_of(const Work& work) {
  return failure_of([](const void* place) { (*static_cast<const Work*>(place))(); }, &work);
}

/// Called if a part of the work has failed on another thread: stores the fault in the calling
/// thread's innermost `failure_of`, which returns it even if the work catches the exception.
void note_fault(std::exception_ptr fault);

/// State of a `failure_of` in progress, for the signal handler.
struct Guard {
  void* back[5];  ///< for __builtin_setjmp; longjmp would check frames that no longer exist
  const BlockScheduler* block;  ///< scheduler of the block that made the call, or null
  Guard* outer;
  void* landing_stack;
  Fault fault;
  std::exception_ptr noted;

  static Guard* innermost();
  /// A thread continues here after a fault: leaves the innermost `failure_of`.
  [[noreturn]] static void land();
};

}  // namespace simtrt
