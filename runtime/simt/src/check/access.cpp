// Accesses of instrumented programs: bounds, initialisation, and the order that atomic operations establish.
#include "check/access.h"

#include "check/events.h"
#include "check/races.h"
#include "kernel/block_scheduler.h"

#include <simtrt/check_access.h>

#include <algorithm>
#include <unordered_map>

namespace simtrt::check {
// Functions of rare cases are cold or not inlined: check_region is short without them, and each access calls it.
namespace {

/// Atomics: what their last writers have released, by address.
std::unordered_map<std::uintptr_t, Learnt>& released() {
  static auto& made = *new std::unordered_map<std::uintptr_t, Learnt>();
  return made;
}

constexpr unsigned kPageBits = ThreadAccesses::kPageBits;

Region* find_slowly(PageEntry& entry, std::uintptr_t address) {
  const Regions& regions = Regions::instance();
  const std::uint64_t version = Regions::version();
  const std::uintptr_t page = address >> kPageBits;
  auto found = regions.find(address);
  if (found == nullptr && regions.overlaps(page << kPageBits, (page + 1) << kPageBits)) return nullptr;
  entry = {page, version, std::move(found)};
  return entry.region.get();
}

inline Region* find(Context& here, std::uintptr_t address) {
  PageEntry& entry = here.pages[ThreadAccesses::slot_of(address)];
  if (entry.page == address >> kPageBits && entry.version == Regions::version()) {
    Region* region = entry.region.get();
    if (region == nullptr || (address >= region->begin && address < region->limit)) return region;
  }
  return find_slowly(entry, address);
}

bool is_inside(const Region& region, std::uintptr_t address, std::size_t size) {
  return address + size <= region.end && region.is_in_variable(address, size);
}

bool is_freed(const Context& here, const Region& region) {
  return region.freed || (region.freeing_number != 0 &&
                          is_after(here.run, region.freeing_stream, region.freeing_number));
}

[[gnu::cold]] void report_bad_memory(const char* type, const char* text, const Region& region, std::uintptr_t address,
                                     std::size_t size, unsigned flags, std::uint32_t site) {
  Finding finding{"memory", type, text, region.describe(address), {caller_place(flags, size, site)}};
  if (!region.allocated_at.empty()) finding.places.push_back({"allocated", "", region.allocated_at, ""});
  if (region.freed && !region.freed_at.empty()) finding.places.push_back({"freed", "", region.freed_at, ""});
  add(std::move(finding));
}

[[gnu::cold]] void report_access_by_host(const Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                                         std::uint32_t site) {
  add({"host", "device-memory", "the host accesses memory of the device", region.describe(address),
       {caller_place(flags, size, site)}});
}

// Range in the region that the hooks let pass; null if the access is no permitted one. Call it only if the kinds check
// nothing but bounds.
const PermittedRange* permitted_range(const Context& here, Region& region, std::uintptr_t address, std::size_t size) {
  if (!is_inside(region, address, size) || is_freed(here, region)) return nullptr;
  return Regions::instance().permitted(region, address);
}

// Returns false if the access is outside of the region.
bool check_bounds(Context& here, const Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                  std::uint32_t site) {
  if (!is_inside(region, address, size)) {
    if (kinds.memory && (here.in_block || here.in_task))
      report_bad_memory(name_of(region.space), "an access outside of the memory", region, address, size, flags, site);
    return false;
  }
  const bool freed = is_freed(here, region);
  if (freed && kinds.memory)
    report_bad_memory("freed", "an access to freed memory", region, address, size, flags, site);
  return !freed;
}

[[gnu::noinline]] void check_written(const Context& here, Region& region, std::uintptr_t address, std::size_t size,
                                     unsigned flags, std::uint32_t site, bool reads) {
  if (region.space == Space::kShared) {
    const std::uint64_t serial = here.clocks->serial;
    if (region.serial != serial) {
      region.written.assign(region.written.size(), false);
      region.serial = serial;
    }
  }
  const std::size_t begin = address - region.begin;
  if (region.written.size() < begin + size) region.written.resize(begin + size);
  const auto from = region.written.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto to = from + static_cast<std::ptrdiff_t>(size);
  if (reads && std::find(from, to, false) != to) {
    add({"init", name_of(region.space), "a read of memory that was never written", region.describe(address),
         {caller_place(flags & ~unsigned{kWrite}, size, site)}});
    std::fill(from, to, true);  // one finding for each piece of memory
  }
  if ((flags & kWrite) != 0) std::fill(from, to, true);
}

}  // namespace

void forget_releases() { released().clear(); }

namespace {

void check_region(Context& here, Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                  std::uint32_t site) {
  if (kinds.host && !here.in_block && !here.in_task && region.space == Space::kGlobal && !region.host_may_access)
    report_access_by_host(region, address, size, flags, site);
  if (region.space == Space::kShared && !here.in_block) return;
  if (region.space == Space::kVariable && !here.in_block) return;
  if (!check_bounds(here, region, address, size, flags, site)) return;
  const bool reads = (flags & kWrite) == 0 || (flags & kAtomic) != 0;
  if (kinds.init && (region.tracks_writes || region.space == Space::kShared))
    check_written(here, region, address, size, flags, site, reads && here.in_block);
  if (kinds.race) check_races(here, region, address, size, flags, site);
}

}  // namespace

void check_range(Context& here, std::uintptr_t address, std::size_t size, unsigned flags, std::uint32_t site) {
  if (Region* region = find(here, address)) check_region(here, *region, address, size, flags, site);
}

const PermittedRange* access(std::uintptr_t address, std::size_t size, unsigned flags, const void* pc) {
  if (!observes_accesses || size == 0) return nullptr;
  Context& here = context();
  here.last_pc = pc;
  here.last_write = (flags & kWrite) != 0;
  here.has_accessed = true;
  Region* region = find(here, address);
  if (region == nullptr) return here.permitted_at(address) = Regions::instance().permitted_outside(address);
  if (!here.in_block && is_unknown(here)) return nullptr;
  if (!needs_lock) {
    if (const PermittedRange* range = permitted_range(here, *region, address, size))
      return here.permitted_at(address) = range;
  }
  const std::lock_guard guard(lock());
  settle_pending(here);
  if ((flags & kVolatile) != 0) {
    // PTX: a volatile access is a relaxed one of the whole system. In shared memory it has the same rights as a plain
    // one: the order of lanes by `volatile` alone ended with Volta.
    flags &= ~unsigned{kVolatile};
    if (region->space != Space::kShared) flags |= kAtomic;
  }
  check_region(here, *region, address, size, flags, known_site(here, pc));
  return nullptr;
}

namespace {

// A loop over atomic operations by one thread (a cursor of a queue, a spin lock) lets other threads run: on a GPU they
// run at the same time, and their accesses are those that may race.
void let_others_run(Context& here, bool writes) {
  if (!kinds.race || !here.in_block || !writes) return;
  const unsigned thread = thread_number(here);
  const bool again = here.last_atomic_thread == thread && here.last_atomic_serial == here.clocks->serial;
  here.last_atomic_thread = thread;
  here.last_atomic_serial = here.clocks->serial;
  if (again) BlockScheduler::current()->yield();
}

// The thread acquires what the last writer of the address has released, and releases what it knows itself.
void order_by_atomic(Context& here, std::uintptr_t address, bool reads, bool writes, int order) {
  const unsigned thread = thread_number(here);
  BlockClocks& block = *here.clocks;
  ThreadKnowledge& one = block.knowledge(thread);
  auto& all = released();
  auto it = all.find(address);
  const bool releases = order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
  const bool acquires = order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
                        order == __ATOMIC_SEQ_CST;
  if (reads && it != all.end()) {
    if (acquires) {
      one.learnt = joined(one.learnt, it->second);
    } else {
      one.acquired = joined(one.acquired, it->second);
    }
  }
  if (!writes) return;
  Learnt passed = one.released;
  if (releases) {
    passed = joined(passed, block.snapshot(thread));
    block.advance(thread);
  }
  if (reads && it != all.end()) passed = joined(it->second, passed);
  if (passed != nullptr) {
    all[address] = passed;
  } else if (it != all.end()) {
    all.erase(it);
  }
}

}  // namespace

void atomic_access(std::uintptr_t address, std::size_t size, bool reads, bool writes, int order, const void* pc) {
  if (!observes_accesses) return;
  Context& here = context();
  here.last_pc = pc;
  here.last_write = writes;
  here.has_accessed = true;
  Region* region = find(here, address);
  if (region == nullptr || is_unknown(here)) return;
  if (!needs_lock) {
    if (const PermittedRange* range = permitted_range(here, *region, address, size)) {
      here.permitted_at(address) = range;
      return;
    }
  }
  let_others_run(here, writes);
  region = find(here, address);  // other threads may have changed the table
  if (region == nullptr) return;
  const std::lock_guard guard(lock());
  settle_pending(here);
  const unsigned flags = kAtomic | (writes ? kWrite : 0U);
  const std::uint32_t site = known_site(here, pc);
  if (kinds.init && writes && !reads) {
    // A plain store does not read what it replaces.
    if (region->tracks_writes || region->space == Space::kShared)
      check_written(here, *region, address, std::min<std::size_t>(size, region->end - address), kWrite, site, false);
  }
  check_region(here, *region, address, size, flags, site);
  if (kinds.race && here.in_block) order_by_atomic(here, address, reads, writes, order);
}

void fence(int) {
  if (!kinds.race) return;
  Context& here = context();
  if (!here.in_block) return;
  const std::lock_guard guard(lock());
  settle_pending(here);
  const unsigned thread = thread_number(here);
  BlockClocks& block = *here.clocks;
  ThreadKnowledge& one = block.knowledge(thread);
  one.learnt = joined(one.learnt, one.acquired);
  one.acquired = nullptr;
  one.released = block.snapshot(thread);
  block.advance(thread);
}

}  // namespace simtrt::check
