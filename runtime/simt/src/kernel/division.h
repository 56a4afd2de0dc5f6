#pragma once

namespace simtrt {

/// Integers divide as on a GPU, which raises nothing: PTX leaves the result of a division by zero open, here the quotient
/// has all bits set and the remainder is the dividend; the least number over -1 is itself, with remainder 0.
///
/// Finishes the division that the interrupted thread of a ucontext_t has failed at, and makes it go on behind it. False
/// where it is at nothing of that kind.
bool finish_division(void* context);

}  // namespace simtrt
