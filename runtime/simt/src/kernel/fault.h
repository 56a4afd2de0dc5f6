// Faults: signals that code of the device raises, and the CUDA errors that they become.
//
// Ownership: a Fault is a plain value. A BlockScheduler has one for its threads, and each Guard has
// one for work outside of kernels.
// Threads: the signal handler writes a Fault on the thread that raised the signal, and the same
// thread reads it after the handler. The functions here may be called by any thread, outside of
// signal handlers.
// Memory ordering: there are no atomics; one thread does both.
#pragma once

#include <simt_runtime_api.h>

#include <string>

namespace simtrt {

/// A signal that code of the device has raised.
struct Fault {
  int signal = 0;
  /// The address that was accessed, for SIGSEGV and SIGBUS.
  const void* address = nullptr;
  /// The address is not a multiple of what the instruction needs.
  bool misaligned = false;
  bool overflow = false;  ///< The thread's stack is exhausted.
};

simtError_t error_of_fault(const Fault& fault);
std::string describe_fault(const Fault& fault);

}  // namespace simtrt
