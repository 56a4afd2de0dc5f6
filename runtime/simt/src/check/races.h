// Races: an access is compared with the last accesses to the same bytes (regions.h), whose order clocks tell (clocks.h).
//
// Ownership: none. Threads: a caller holds the lock of the checkers (context.h). Memory ordering: there are no atomics.
#pragma once

#include "check/context.h"

namespace simtrt::check {

/// Compares an access with the last ones to the same bytes, and stores it as one of them.
void check_races(Context& here, Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                 std::uint32_t site);

/// Reports the pending race of a thread (Context::Pending) if its write has changed the bytes.
void settle(Context::Pending& pending);
inline void settle_pending(Context& here) {
  if (here.pending.any) settle(here.pending);
}

}  // namespace simtrt::check
