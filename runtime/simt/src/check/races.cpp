#include "check/races.h"

#include "check/order.h"

#include <simtrt/check_access.h>

#include <algorithm>
#include <cstring>

namespace simtrt::check {
namespace {

// Called up to eight times for each access.
__attribute__((always_inline)) inline bool precedes(Context& here, const Slot& slot, unsigned thread) {
  if (slot.clock == 0) return true;
  if (here.in_block) return here.clocks->is_ordered(slot.who, slot.clock, thread);
  return is_ordered(run_of(slot.who), slot.clock, here.run);
}

/// Accesses to shared memory by earlier blocks of the same worker are no accesses to the same memory.
bool is_of_this_block(const Context& here, const Region& region, const Slot& slot) {
  if (region.space != Space::kShared) return true;
  const BlockClocks& block = *here.clocks;
  return run_of(slot.who) == block.run && block_of(slot.who) == block.block;
}

struct Race {
  Slot other;  ///< an earlier access without an order; no race if its clock is 0
  unsigned other_flags = 0;

  explicit operator bool() const { return other.clock != 0; }
};

void report_race(Context& here, const Region& region, const Race& race, std::uintptr_t address, std::size_t size,
                 unsigned flags, std::uint32_t site) {
  const Slot& other = race.other;
  const Run run = run_of(other.who);
  const char* type = "global";
  if (region.space == Space::kShared) {
    type = "shared";
  } else if (run == kHostRun || here.run == kHostRun) {
    type = "host";
  } else if (run != here.run) {
    type = "streams";
  } else if (block_of(other.who) != here.clocks->block) {
    type = "blocks";
  }
  Finding finding{"race", type,
                  std::string("two accesses without an order, at least one of which writes, to ") +
                      (region.space == Space::kShared ? "shared memory" : "global memory"),
                  region.describe(address),
                  {caller_place(flags, size, site),
                   {access_text(race.other_flags, size), describe(run, block_of(other.who), thread_of(other.who)),
                    {pc_of(other.site)}, "", note_of(run)}}};
  const bool both_write = (flags & kWrite) != 0 && (race.other_flags & kWrite) != 0 &&
                          ((flags | race.other_flags) & kAtomic) == 0 && size <= here.pending.before.size();
  if (!both_write) {
    add(std::move(finding));
    return;
  }
  here.pending.any = true;
  here.pending.address = address;
  here.pending.size = size;
  std::memcpy(here.pending.before.data(), reinterpret_cast<const void*>(address), size);
  here.pending.finding = std::move(finding);
}

void put_read(Context& here, Accesses& last, const Slot& now, unsigned thread) {
  const auto replaces = [&](const Slot& slot) { return slot.who == now.who || precedes(here, slot, thread); };
  if (replaces(last.read)) {
    last.read = now;
    return;
  }
  auto& [second, third] = last.others().reads;
  if (replaces(second)) {
    second = now;
  } else if (replaces(third)) {
    third = now;
  } else {
    // Keep readers of different warps.
    const bool same_warp = second.who >> 5 == last.read.who >> 5;
    (same_warp ? second : third) = now;
  }
}

// Compares an access with the last ones, and stores it as one of them.
Race meet(Context& here, const Region& region, Accesses& last, unsigned flags, const Slot& now, unsigned thread) {
  Race race;
  const auto with = [&](const Slot& slot, unsigned other_flags) __attribute__((always_inline)) {
    if (!race && slot.clock != 0 && is_of_this_block(here, region, slot) && !precedes(here, slot, thread))
      race = {slot, other_flags};
  };
  const bool writes = (flags & kWrite) != 0;
  const bool atomic = (flags & kAtomic) != 0;
  const SharedAccesses* more = last.more.get();
  with(last.write, kWrite);
  if (!atomic && more != nullptr) {
    for (const Slot& slot : more->atomics) with(slot, kWrite | kAtomic);
  }
  if (writes) {
    with(last.read, kRead);
    if (more != nullptr) {
      for (const Slot& slot : more->reads) with(slot, kRead);
      if (!atomic) with(more->atomic_read, kAtomic);
    }
  }
  if (atomic && !writes) {
    last.others().atomic_read = now;
  } else if (!writes) {
    put_read(here, last, now, thread);
  } else if (!atomic) {
    last.write = now;
  } else {
    auto& [first, second] = last.others().atomics;
    if (first.who != now.who && !precedes(here, first, thread)) second = first;
    first = now;
  }
  return race;
}

}  // namespace

void check_races(Context& here, Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                 std::uint32_t site) {
  Slot now;
  unsigned thread = 0;
  if (here.in_block) {
    thread = thread_number(here);
    BlockClocks& block = *here.clocks;
    now = {actor(block.run, block.block, thread), block.thread(thread).clock, site};
  } else {
    now = {actor(here.run, 0, 0), here.run == kHostRun ? host_clock() : 1, site};
  }
  bool reported = false;
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4) {
    Cell& cell = region.cell(std::max(at, region.begin & ~std::uintptr_t{3}));
    const bool whole = at >= address && at + 4 <= address + size;
    if (!whole && cell.bytes == nullptr) cell.divide();
    const auto check = [&](Accesses& last) {
      const Race race = meet(here, region, last, flags, now, thread);
      if (!race || reported) return;
      report_race(here, region, race, address, size, flags, site);
      reported = true;
    };
    if (cell.bytes == nullptr) {
      check(cell);
    } else {
      for (std::uintptr_t byte = std::max(at, address); byte < std::min(at + 4, address + size); ++byte)
        check((*cell.bytes)[byte - at]);
    }
  }
}

void settle(Context::Pending& pending) {
  pending.any = false;
  if (std::memcmp(pending.before.data(), reinterpret_cast<const void*>(pending.address), pending.size) != 0)
    add(std::move(pending.finding));
}

}  // namespace simtrt::check
