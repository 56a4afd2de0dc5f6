#pragma once

namespace simtrt {

/// Integers divide as on a GPU, which raises nothing. PTX leaves the results of a division by zero open; those of NVIDIA's
/// GPUs have all bits set, or the lower half of 64 where the dividend's upper half is clear, quotient and remainder
/// alike (pytorch/pytorch issues 48130 and 135330). The least number over -1 is itself, with remainder 0.
///
/// Finishes the division that the interrupted thread of a ucontext_t has failed at, and makes it go on behind it. False
/// where it is at nothing of that kind.
bool finish_division(void* context);

}  // namespace simtrt
