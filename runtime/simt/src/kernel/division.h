// Integer division by zero in device code, which raises SIGFPE on x86-64.
//
// Threads: the signal handler calls the function on the thread that raised the signal. There is no
// shared state.
#pragma once

namespace simtrt {

/// Completes an integer division as a GPU does, which raises no exception. PTX leaves the results
/// of a division by zero undefined. On NVIDIA's GPUs, all bits of the results are set. If the
/// numbers have 64 bits and the upper half of the dividend is clear, only the lower 32 bits are
/// set. Two sources show such results: remainders of small dividends in all widths (pytorch/pytorch
/// issue 48130), and one 64-bit quotient (issue 135330). Other quotients, and dividends beyond 32
/// bits, are assumed to follow the same rule. The smallest integer divided by -1 is itself, with
/// remainder 0.
///
/// `context` is the ucontext_t of the interrupted thread; the thread then continues after the
/// division. Returns false if the thread was interrupted at another instruction.
bool finish_division(void* context);

}  // namespace simtrt
