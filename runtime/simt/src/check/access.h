// Accesses to known memory: those of instrumented programs, and those of copies and fills.
//
// Ownership: none. Threads: a caller holds the lock of the checkers (context.h). Memory ordering: there are no atomics.
#pragma once

#include "check/context.h"

namespace simtrt::check {

/// Records and checks an access to a range in known memory.
void check_range(Context& here, std::uintptr_t address, std::size_t size, unsigned flags, std::uint32_t site);

/// Forgets what atomic writes have released.
void forget_releases();

}  // namespace simtrt::check
