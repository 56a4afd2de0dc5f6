// Handling of threads that return to Python while the interpreter shuts down, for example daemon threads.
//
// Python before 3.14 ends such a thread with pthread_exit. Stack unwinding then runs a noexcept destructor of pybind11
// that acquires the GIL, and the C++ runtime terminates the process ("terminate called without an active exception").
// With this handler, the thread waits until the process ends, as in Python 3.14 (documentation of
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
  // An active exception means that an error of the program ends the process. The previous handler
  // reports the error.
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
