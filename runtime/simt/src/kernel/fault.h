// Faults of kernels: their errors, and the words of reports.
#pragma once

#include "kernel/grid_run.h"

#include <simt_runtime_api.h>

#include <cstddef>
#include <string>

namespace simtrt {

struct Meeting;
enum class Wait : unsigned char;

/// Room for a thread's own stack in a kernel: simtLimitStackSize, 256 KiB until it is set.
std::size_t fiber_stack_bytes();
void set_fiber_stack_bytes(std::size_t bytes);

/// A signal that code of the device has raised.
struct Fault {
  int signal = 0;
  /// The address that was accessed, for SIGSEGV and SIGBUS.
  const void* address = nullptr;
  /// The address is not a multiple of what the instruction needs.
  bool misaligned = false;
  bool overflow = false;  ///< of the thread's stack
};

simtError_t error_of_fault(const Fault& fault);
std::string describe_fault(const Fault& fault);

/// " in reduce<float>(float*)+0x1a"; empty where no symbol is known.
std::string describe_site(const void* site);

/// " for __syncthreads in reduce<float>(float*)+0x1a".
std::string describe_wait(Wait wait, const Meeting* meeting, const void* site);

/// `what` with the kernel's name, its place and where it was launched.
std::string kernel_report(const GridRun& grid, const std::string& place, const std::string& what);

}  // namespace simtrt
