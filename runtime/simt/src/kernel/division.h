// Integer division by zero in device code, which raises SIGFPE on x86-64.
//
// Ownership, threads, memory ordering: the signal handler calls the function, on the thread that raised the signal.
// There is no shared state.
#pragma once

namespace simtrt {

/// Completes an integer division like a GPU, which raises no exception. PTX leaves the results of a division by zero
/// undefined. On NVIDIA's GPUs they have all bits set, or the lower half of 64 bits if the dividend's upper half is
/// clear. Published are remainders of all widths, of small dividends (pytorch/pytorch issue 48130), and one quotient of
/// 64 bits (135330); other quotients, and dividends beyond 32 bits, are assumed to behave alike. The smallest integer
/// divided by -1 is itself, with remainder 0.
///
/// Completes the failed division of the interrupted thread with this ucontext_t, and lets the thread continue after it.
/// Returns false if the thread was interrupted at another instruction.
bool finish_division(void* context);

}  // namespace simtrt
