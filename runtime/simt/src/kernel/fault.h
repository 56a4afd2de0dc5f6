// Faults: signals raised by device code, and the corresponding CUDA errors.
//
// Ownership: a Fault is a plain value. A BlockScheduler has one for its threads, and each Guard has
// one for work outside of kernels.
// Threads: the signal handler writes a Fault on the thread that raised the signal, and the same
// thread reads it after the handler. Any thread may call the functions, but not in a signal
// handler.
// Memory ordering: there are no atomics, because one thread writes and reads a Fault.
#pragma once

#include <simt_runtime_api.h>

#include <string>

namespace simtrt {

/// Signal that device code has raised.
struct Fault {
  int signal = 0;
  /// Accessed address, for SIGSEGV and SIGBUS.
  const void* address = nullptr;
  /// True if the address violates the alignment that the instruction requires.
  bool misaligned = false;
  bool overflow = false;  ///< The thread's stack is exhausted.
};

simtError_t error_of_fault(const Fault& fault);
std::string describe_fault(const Fault& fault);

}  // namespace simtrt
