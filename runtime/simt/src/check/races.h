// Races: an access is compared with the last accesses to the same bytes (last_accesses.h), whose order clocks tell (clocks.h).
//
// Ownership: none. Threads: a caller holds the lock of the checkers (context.h). Memory ordering: there are no atomics.
#pragma once

#include "check/context.h"
#include "check/order.h"

namespace simtrt::check {

/// True if a race with the access in the slot is impossible: there is none, its memory was an earlier block's, or it
/// precedes the next access of the thread.
__attribute__((always_inline)) inline bool is_past(Context& here, const Region& region, const Slot& slot,
                                                   unsigned thread) {
  if (slot.clock == 0) return true;
  if (!here.in_block) return is_ordered(run_of(slot.who), slot.clock, here.run);
  BlockClocks& block = *here.clocks;
  // Earlier blocks of the same worker had other variables in its shared memory.
  if (region.space == Space::kShared && !block.is_of_block(slot.who)) return true;
  return block.is_ordered(slot.who, slot.clock, thread);
}

/// Stores a plain access of which a comparison with two others shows that there is no race. Returns false for others.
__attribute__((always_inline)) inline bool pass(Context& here, const Region& region, PlainAccesses& last, bool writes,
                                                const Slot& now, unsigned thread) {
  if (!is_past(here, region, last.write, thread)) return false;
  if ((writes || last.read.who != now.who) && !is_past(here, region, last.read, thread)) return false;
  Slot& slot = writes ? last.write : last.read;
  // One by one: a copy of 16 bytes would wait for the members of `now`, which were stored one by one.
  slot.who = now.who;
  slot.clock = now.clock;
  slot.site = now.site;
  return true;
}

/// Compares an access with the last ones to the same bytes, and stores it as one of them.
void check_races_slowly(Context& here, Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                        const Slot& now, unsigned thread);
__attribute__((always_inline)) inline void check_races(Context& here, Region& region, std::uintptr_t address,
                                                       std::size_t size, unsigned flags, std::uint32_t site) {
  unsigned thread = 0;
  Actor who = actor(here.run, 0, 0);
  std::uint32_t clock = 1;
  if (here.in_block) {
    thread = thread_number(here);
    BlockClocks& block = *here.clocks;
    who = block.actor_of(thread);
    clock = block.thread(thread).clock;
  } else if (here.run == kHostRun) {
    clock = host_clock();
  }
  // Most accesses are plain ones of whole cells.
  constexpr std::size_t kCell = LastAccesses::kCell;
  if ((flags & kAtomic) == 0 && address % kCell == 0 && size % kCell == 0 && size <= 4 * kCell) {
    std::size_t cell = (address - region.first_cell()) / kCell;
    for (;; ++cell, address += kCell) {
      PlainAccesses* const last = region.last_accesses.plain(cell);
      if (last == nullptr || !pass(here, region, *last, (flags & kWrite) != 0, {who, clock, site}, thread)) break;
      size -= kCell;
      if (size == 0) return;
    }
  }
  check_races_slowly(here, region, address, size, flags, {who, clock, site}, thread);
}

/// Reports the pending race of a thread (Context::Pending) if its write has changed the bytes.
void settle(Context::Pending& pending);
inline void settle_pending(Context& here) {
  if (here.pending.any) settle(here.pending);
}

}  // namespace simtrt::check
