// Threads that return to Python while the interpreter shuts down, daemon threads among them.
//
// Python before 3.14 ends such a thread by pthread_exit. The unwinding then meets a destructor of pybind11 that takes the
// GIL back and may not throw, and the C++ runtime terminates the process ("terminate called without an active
// exception"). Here the thread waits for the end of the process, as Python 3.14 lets it (documentation of
// PyEval_RestoreThread).

#include "Bindings.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>

namespace at::cuda::backend::python {
namespace {

std::terminate_handler previous = nullptr;

bool isFinalizing() {
#if PY_VERSION_HEX >= 0x030d0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

[[noreturn]] void waitForTheEnd() {
  // An exception in flight is a fault of the program, which its own handler reports.
  const bool isMainThread = syscall(SYS_gettid) == getpid();
  while (!isMainThread && !std::current_exception() && isFinalizing()) {
    pause();
  }
  if (previous != nullptr) {
    previous();
  }
  std::abort();
}

} // namespace

void keepThreadsAtFinalization() {
  previous = std::set_terminate(waitForTheEnd);
}

} // namespace at::cuda::backend::python
