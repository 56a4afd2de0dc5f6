// Integer division by zero in device code, whose SIGFPE the signal handler handles.
//
// Ownership, threads, memory ordering: the signal handler calls the function, on the thread that
// raised the signal. There is no shared state.
#pragma once

namespace simtrt {

/// Integers divide as on a GPU, which raises nothing. PTX leaves the results of a division by zero open; those of NVIDIA's
/// GPUs have all bits set, or the lower half of 64 where the dividend's upper half is clear. Published are remainders of
/// all widths, of small dividends (pytorch/pytorch issue 48130), and one quotient of 64 bits (135330); other quotients,
/// and dividends beyond 32 bits, are taken to be alike. The least number over -1 is itself, with remainder 0.
///
/// Finishes the division that the interrupted thread of a ucontext_t has failed at, and makes it go on behind it. False
/// where it is at nothing of that kind.
bool finish_division(void* context);

}  // namespace simtrt
