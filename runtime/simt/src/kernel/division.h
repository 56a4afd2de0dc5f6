// Integer division by zero in device code, which raises SIGFPE on x86-64.
//
// Threads: the signal handler calls the function on the thread that raised the signal. There is no
// shared state.
#pragma once

namespace simtrt {

/// Completes an integer division like a GPU, which raises no exception. PTX leaves the results of a
/// division by zero undefined. On NVIDIA's GPUs all bits of the results are set; for 64-bit
/// numbers, only the lower 32 bits if the upper half of the dividend is clear. Two sources show
/// such results: remainders of small dividends in all widths (pytorch/pytorch issue 48130), and one
/// 64-bit quotient (issue 135330). Other quotients, and dividends beyond 32 bits, are assumed to
/// follow the same rule. The smallest integer divided by -1 is itself, with remainder 0.
///
/// Completes the failed division of the interrupted thread with this ucontext_t, and lets the thread continue after it.
/// Returns false if the thread was interrupted at another instruction.
bool finish_division(void* context);

}  // namespace simtrt
