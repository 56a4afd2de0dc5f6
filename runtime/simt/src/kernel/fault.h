// Faults of kernels: signals turned into errors of the launch, and the words of reports.
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

/// From now on SIGSEGV, SIGBUS, SIGFPE and SIGILL raised by a kernel's own code end the launch; all
/// others go to the handlers that were there. To be called before each launch: a library may have
/// put its own handlers over these.
void install_fault_handlers();

/// Handlers of signals run on this while it lives, on the thread that made it: the kernel's own
/// stack may be exhausted.
class SignalStack {
 public:
  SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack();

 private:
  void* memory_;
};

simtError_t error_of_signal(int signal);
std::string describe_signal(int signal, const void* address);

/// " for __syncthreads in reduce<float>(float*)+0x1a".
std::string describe_wait(Wait wait, const Meeting* meeting, const void* site);

/// `what` with the kernel's name, its place and where it was launched.
std::string kernel_report(const GridRun& grid, const std::string& place, const std::string& what);

}  // namespace simtrt
