#include "check/races.h"

#include "check/order.h"

#include <simtrt/check_access.h>

#include <algorithm>
#include <cstring>

namespace simtrt::check {
namespace {

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

void put_read(Context& here, const Region& region, LastAccesses::Piece& last, const Slot& now, unsigned thread) {
  const auto replaces = [&](const Slot& slot) { return slot.who == now.who || is_past(here, region, slot, thread); };
  if (replaces(last.plain.read)) {
    last.plain.read = now;
    return;
  }
  auto& [second, third] = last.make_shared().reads;
  if (replaces(second)) {
    second = now;
  } else if (replaces(third)) {
    third = now;
  } else {
    // Keep readers of different warps.
    const bool same_warp = second.who >> 5 == last.plain.read.who >> 5;
    (same_warp ? second : third) = now;
  }
}

// Compares an access with the last ones, and stores it as one of them.
Race meet(Context& here, const Region& region, LastAccesses::Piece& last, unsigned flags, const Slot& now,
          unsigned thread) {
  Race race;
  const auto with = [&](const Slot& slot, unsigned other_flags) {
    if (!race && !is_past(here, region, slot, thread)) race = {slot, other_flags};
  };
  const bool writes = (flags & kWrite) != 0;
  const bool atomic = (flags & kAtomic) != 0;
  const SharedAccesses* shared = last.shared();
  with(last.plain.write, kWrite);
  if (!atomic && shared != nullptr) {
    for (const Slot& slot : shared->atomics) with(slot, kWrite | kAtomic);
  }
  if (writes) {
    with(last.plain.read, kRead);
    if (shared != nullptr) {
      for (const Slot& slot : shared->reads) with(slot, kRead);
      if (!atomic) with(shared->atomic_read, kAtomic);
    }
  }
  if (atomic && !writes) {
    last.make_shared().atomic_read = now;
  } else if (!writes) {
    put_read(here, region, last, now, thread);
  } else if (!atomic) {
    last.plain.write = now;
  } else {
    auto& [first, second] = last.make_shared().atomics;
    if (first.who != now.who && !is_past(here, region, first, thread)) second = first;
    first = now;
  }
  return race;
}

}  // namespace

void check_races_slowly(Context& here, Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                        const Slot& now, unsigned thread) {
  bool reported = false;
  const std::uintptr_t begin = std::max(address, region.begin) - region.first_cell();
  region.last_accesses.each(begin, address + size - region.first_cell(), [&](LastAccesses::Piece last) {
    const Race race = meet(here, region, last, flags, now, thread);
    if (!race || reported) return;
    report_race(here, region, race, address, size, flags, now.site);
    reported = true;
  });
}

void settle(Context::Pending& pending) {
  pending.any = false;
  if (std::memcmp(pending.before.data(), reinterpret_cast<const void*>(pending.address), pending.size) != 0)
    add(std::move(pending.finding));
}

}  // namespace simtrt::check
