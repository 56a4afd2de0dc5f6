// Accesses of instrumented programs: bounds, initialisation and races.
#include "check/access.h"

#include "check/events.h"
#include "check/session.h"
#include "kernel/block_scheduler.h"
#include "process/runtime_thread.h"

#include <simtrt/check_access.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace simtrt::check {
namespace {

struct Sites {
  std::unordered_map<const void*, std::uint32_t> numbers;
  std::deque<std::uintptr_t> addresses{0};
};
Sites& sites() {
  static auto& made = *new Sites();
  return made;
}

/// Atomics: what their last writers have released, by address.
std::unordered_map<std::uintptr_t, Learnt>& released() {
  static auto& made = *new std::unordered_map<std::uintptr_t, Learnt>();
  return made;
}

constexpr unsigned kPageBits = 12;

Region* find_slowly(PageEntry& entry, std::uintptr_t address) {
  const Regions& regions = Regions::instance();
  const std::uint64_t version = regions.version();
  const std::uintptr_t page = address >> kPageBits;
  auto found = regions.find(address);
  if (found == nullptr && regions.overlaps(page << kPageBits, (page + 1) << kPageBits)) return nullptr;
  entry = {page, version, std::move(found)};
  return entry.region.get();
}

Region* find(Context& here, std::uintptr_t address) {
  static const Regions& regions = Regions::instance();
  PageEntry& entry = here.pages[(address >> kPageBits) % here.pages.size()];
  if (entry.page == address >> kPageBits && entry.version == regions.version()) {
    Region* region = entry.region.get();
    if (region == nullptr || (address >= region->begin && address < region->limit)) return region;
  }
  return find_slowly(entry, address);
}

std::uint32_t known_site(Context& here, const void* pc) {
  SiteEntry& entry = here.sites[reinterpret_cast<std::uintptr_t>(pc) % here.sites.size()];
  if (entry.pc != pc) entry = {pc, site_of(pc)};
  return entry.number;
}

bool is_inside(const Region& region, std::uintptr_t address, std::size_t size) {
  return address + size <= region.end && region.is_in_variable(address, size);
}

bool is_freed(const Context& here, const Region& region) {
  return region.freed || (region.freeing_number != 0 &&
                          is_after(here.run, region.freeing_stream, region.freeing_number));
}

std::string access_text(unsigned flags, std::size_t size) {
  return std::string((flags & kAtomic) != 0 ? "atomic " : "") + ((flags & kWrite) != 0 ? "write" : "read") +
         " of " + std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

Place caller_place(unsigned flags, std::size_t size, std::uint32_t site) {
  const auto* pc = reinterpret_cast<const void*>(pc_of(site));
  return {access_text(flags, size), describe_caller(), stack_from(pc), "", note_of_caller()};
}

void report_bad_memory(const char* type, const std::string& text, const Region& region, std::uintptr_t address,
                       std::size_t size, unsigned flags, std::uint32_t site) {
  Finding finding{"memory", type, text, region.describe(address), {caller_place(flags, size, site)}};
  if (!region.allocated_at.empty()) finding.places.push_back({"allocated", "", region.allocated_at, ""});
  if (region.freed && !region.freed_at.empty()) finding.places.push_back({"freed", "", region.freed_at, ""});
  add(std::move(finding));
}

const char* name_of(Space space) { return space == Space::kShared ? "shared" : "global"; }

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

void check_written(const Context& here, Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                   std::uint32_t site, bool reads) {
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

bool precedes(Context& here, const Slot& slot, unsigned thread) {
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
  for (Slot& slot : last.reads) {
    if (slot.who == now.who || precedes(here, slot, thread)) {
      slot = now;
      return;
    }
  }
  // Keep readers of different warps.
  for (std::size_t index = 1; index < last.reads.size(); ++index) {
    if (last.reads[index].who >> 5 == last.reads[index - 1].who >> 5) {
      last.reads[index] = now;
      return;
    }
  }
  last.reads.back() = now;
}

// Compares an access with the last ones, and stores it as one of them.
Race meet(Context& here, const Region& region, Accesses& last, unsigned flags, const Slot& now, unsigned thread) {
  Race race;
  const auto with = [&](const Slot& slot, unsigned other_flags) {
    if (!race && slot.clock != 0 && is_of_this_block(here, region, slot) && !precedes(here, slot, thread))
      race = {slot, other_flags};
  };
  const bool writes = (flags & kWrite) != 0;
  const bool atomic = (flags & kAtomic) != 0;
  with(last.write, kWrite);
  if (!atomic) {
    for (const Slot& slot : last.atomics) with(slot, kWrite | kAtomic);
  }
  if (writes) {
    for (const Slot& slot : last.reads) with(slot, kRead);
    if (!atomic) with(last.atomic_read, kAtomic);
  }
  if (atomic && !writes) {
    last.atomic_read = now;
  } else if (!writes) {
    put_read(here, last, now, thread);
  } else if (!atomic) {
    last.write = now;
  } else {
    Slot& first = last.atomics[0];
    Slot& second = last.atomics[1];
    if (first.who != now.who && !precedes(here, first, thread)) second = first;
    first = now;
  }
  return race;
}

void check_races(Context& here, Region& region, std::uintptr_t address, std::size_t size, unsigned flags,
                 std::uint32_t site) {
  Slot now;
  unsigned thread = 0;
  if (here.in_block) {
    thread = thread_number();
    BlockClocks& block = *here.clocks;
    now = {actor(block.run, block.block, thread), block.thread(thread).clock, site};
  } else {
    now = {actor(here.run, 0, 0), here.run == kHostRun ? host_clock() : 1, site};
  }
  bool reported = false;
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4) {
    Cell& cell = region.cell(std::max(at, region.begin & ~std::uintptr_t{3}));
    const bool whole = at >= address && at + 4 <= address + size;
    if (!whole && cell.bytes == nullptr) {
      cell.bytes = std::make_unique<std::array<Accesses, 4>>();
      cell.bytes->fill(cell);
    }
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

}  // namespace

std::mutex& lock() {
  static auto& made = *new std::mutex();
  return made;
}

std::uint32_t site_of(const void* pc) {
  Sites& all = sites();
  const auto [it, is_new] = all.numbers.emplace(pc, static_cast<std::uint32_t>(all.addresses.size()));
  if (is_new) all.addresses.push_back(reinterpret_cast<std::uintptr_t>(pc));
  return it->second;
}
std::uintptr_t pc_of(std::uint32_t site) { return sites().addresses[site]; }

namespace {

__attribute__((tls_model("initial-exec"))) thread_local Context* known_context = nullptr;

}  // namespace

Context& context() {
  if (__builtin_expect(known_context != nullptr, true)) return *known_context;
  // Never destroyed: destructors of the thread may access memory.
  known_context = new Context();
  return *known_context;
}

bool is_unknown(const Context& here) {
  return !here.in_block && !here.in_task && RuntimeThread::current() != nullptr;
}

unsigned thread_number() { return BlockScheduler::current()->rank(); }

std::string describe_caller() {
  const Context& here = context();
  if (!here.in_block) return describe(here.run, 0, 0);
  return describe(here.run, here.clocks->block, thread_number());
}

std::uint64_t note_of_caller() {
  const Run run = context().run;
  return run == kHostRun ? current_note() : note_of(run);
}

std::vector<std::uintptr_t> stack_from(const void* pc) {
  std::vector<std::uintptr_t> frames{reinterpret_cast<std::uintptr_t>(pc)};
  const auto program = program_frames();
  const auto here = std::find(program.begin(), program.end(), frames.front());
  if (here != program.end()) frames.insert(frames.end(), here + 1, program.end());
  return frames;
}

void forget_releases() { released().clear(); }

void settle_pending(Context& here) {
  if (!here.pending.any) return;
  here.pending.any = false;
  if (std::memcmp(here.pending.before.data(), reinterpret_cast<const void*>(here.pending.address),
                  here.pending.size) != 0)
    add(std::move(here.pending.finding));
}

void check_range(Context& here, std::uintptr_t address, std::size_t size, unsigned flags, std::uint32_t site) {
  Region* region = find(here, address);
  if (region == nullptr) return;
  if (kinds.host && !here.in_block && !here.in_task && region->space == Space::kGlobal && !region->host_may_access)
    add({"host", "device-memory", "the host accesses memory of the device", region->describe(address),
         {caller_place(flags, size, site)}});
  if (region->space == Space::kShared && !here.in_block) return;
  if (region->space == Space::kVariable && !here.in_block) return;
  if (!check_bounds(here, *region, address, size, flags, site)) return;
  const bool reads = (flags & kWrite) == 0 || (flags & kAtomic) != 0;
  if (kinds.init && (region->tracks_writes || region->space == Space::kShared))
    check_written(here, *region, address, size, flags, site, reads && here.in_block);
  if (kinds.race) check_races(here, *region, address, size, flags, site);
}

void access(std::uintptr_t address, std::size_t size, unsigned flags, const void* pc) {
  if (!observes_accesses || size == 0) return;
  Context& here = context();
  here.last_pc = pc;
  here.last_write = (flags & kWrite) != 0;
  here.has_accessed = true;
  const Region* region = find(here, address);
  if (region == nullptr || is_unknown(here)) return;
  if (!needs_lock && (here.in_block || here.in_task) && is_inside(*region, address, size) && !is_freed(here, *region))
    return;
  const std::lock_guard guard(lock());
  settle_pending(here);
  if ((flags & kVolatile) != 0) {
    // PTX: a volatile access is a relaxed one of the whole system. In shared memory it has the same rights as a plain
    // one: the order of lanes by `volatile` alone ended with Volta.
    flags &= ~unsigned{kVolatile};
    if (region->space != Space::kShared) flags |= kAtomic;
  }
  check_range(here, address, size, flags, known_site(here, pc));
}

namespace {

// A loop over atomic operations by one thread (a cursor of a queue, a spin lock) lets other threads run: on a GPU they
// run at the same time, and their accesses are those that may race.
void let_others_run(Context& here, bool writes) {
  if (!kinds.race || !here.in_block || !writes) return;
  const unsigned thread = thread_number();
  const bool again = here.last_atomic_thread == thread && here.last_atomic_serial == here.clocks->serial;
  here.last_atomic_thread = thread;
  here.last_atomic_serial = here.clocks->serial;
  if (again) BlockScheduler::current()->yield();
}

// The thread acquires what the last writer of the address has released, and releases what it knows itself.
void order_by_atomic(BlockClocks& block, std::uintptr_t address, bool reads, bool writes, int order) {
  const unsigned thread = thread_number();
  ThreadClock& one = block.thread(thread);
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
  if (find(here, address) == nullptr || is_unknown(here)) return;
  let_others_run(here, writes);
  const std::lock_guard guard(lock());
  settle_pending(here);
  const unsigned flags = kAtomic | (writes ? kWrite : 0U);
  const std::uint32_t site = known_site(here, pc);
  if (kinds.init && writes && !reads) {
    // A plain store does not read what it replaces.
    Region* region = find(here, address);
    if (region->tracks_writes || region->space == Space::kShared)
      check_written(here, *region, address, std::min<std::size_t>(size, region->end - address), kWrite, site, false);
  }
  check_range(here, address, size, flags, site);
  if (kinds.race && here.in_block) order_by_atomic(*here.clocks, address, reads, writes, order);
}

void fence(int) {
  if (!kinds.race) return;
  Context& here = context();
  if (!here.in_block) return;
  const std::lock_guard guard(lock());
  settle_pending(here);
  const unsigned thread = thread_number();
  BlockClocks& block = *here.clocks;
  ThreadClock& one = block.thread(thread);
  one.learnt = joined(one.learnt, one.acquired);
  one.acquired = nullptr;
  one.released = block.snapshot(thread);
  block.advance(thread);
}

}  // namespace simtrt::check
