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

/// A signal that code of the device has raised.
class DeviceFault : public std::runtime_error {
 public:
  DeviceFault(simtError_t error, const std::string& what)
      : std::runtime_error(what), error(error) {}
  const simtError_t error;
};

/// Exception that `call(work)` throws, or a DeviceFault; null where it ends as it should. Frames that a fault
/// leaves run no destructors. Only threads of the runtime are guarded, by the handlers that
/// install_fault_handlers() puts in place. May be nested.
std::exception_ptr failure_of(void (*call)(const void* work), const void* work);

/// Of `work()`.
template <class Work>
std::exception_ptr failure_of(const Work& work) {
  return failure_of([](const void* place) { (*static_cast<const Work*>(place))(); }, &work);
}

/// Leaves a DeviceFault of another thread's part of the work to the calling thread's innermost
/// `failure_of`, whatever the work makes of the exception.
void note_fault(std::exception_ptr fault);

/// A call of `failure_of` that goes on, as the handler of signals sees it.
struct Guard {
  void* back[5];  ///< of __builtin_setjmp: the C library's longjmp looks at frames that are gone
  const BlockScheduler* block;  ///< the block within which the call was made, or null
  Guard* outer;
  void* landing_stack;
  Fault fault;
  std::exception_ptr noted;

  static Guard* innermost();
  /// Goes on behind the call that faulted.
  [[noreturn]] static void land();
};

}  // namespace simtrt
