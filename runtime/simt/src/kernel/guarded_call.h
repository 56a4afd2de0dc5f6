// Work of the device outside of kernels (copies, libraries, algorithms of thrust): a fault of its
// code ends the work, not the process.
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

/// Calls `call(work)` and returns the exception that it throws, or a DeviceFault; null on success. A fault runs no
/// destructors of the frames that it leaves. Only threads of the runtime are guarded, by the handlers of
/// install_fault_handlers(). Calls may be nested.
std::exception_ptr failure_of(void (*call)(const void* work), const void* work);

/// Likewise for `work()`.
template <class Work>
std::exception_ptr failure_of(const Work& work) {
  return failure_of([](const void* place) { (*static_cast<const Work*>(place))(); }, &work);
}

/// Records a DeviceFault of another thread's part of the work in the calling thread's innermost `failure_of`, even if
/// the work catches the exception.
void note_fault(std::exception_ptr fault);

/// State of a `failure_of` in progress, for the signal handler.
struct Guard {
  void* back[5];  ///< of __builtin_setjmp: the C library's longjmp looks at frames that are gone
  const BlockScheduler* block;  ///< the block within which the call was made, or null
  Guard* outer;
  void* landing_stack;
  Fault fault;
  std::exception_ptr noted;

  static Guard* innermost();
  /// Continues after the call that faulted.
  [[noreturn]] static void land();
};

}  // namespace simtrt
