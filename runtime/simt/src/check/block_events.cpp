// Blocks, barriers, collectives, and faults of kernels.
#include "check/context.h"
#include "check/events.h"
#include "check/races.h"
#include "check/source_lines.h"
#include "kernel/block_scheduler.h"

#include <simtrt/check_access.h>

#include <cstdio>
#include <set>

namespace simtrt::check {
namespace {

/// Tasks whose accesses the checkers see.
bool is_known_task(const char* name) {
  static const std::set<std::string> known{"simtMemcpy", "simtMemset", "simtFreeAsync", "simtMallocAsync",
                                           "simtStreamWaitEvent", "simtEventRecord"};
  return known.count(name) != 0;
}

/// A library's accesses are not instrumented: it may have written any memory.
void believe_all_written() {
  Regions::instance().each([](Region& region) {
    if (region.tracks_writes) region.written.assign(region.end - region.begin, true);
  });
}

/// Latest run of a kernel whose blocks have begun.
struct LatestRun {
  Run run = kHostRun;
  bool has_accessed = false;  ///< true after an instrumented access of one of its blocks
};
LatestRun& latest_run() {
  static LatestRun latest;
  return latest;
}

// A kernel without instrumentation may have written any memory. The caller holds the lock.
void note_beginning(Run run) {
  LatestRun& latest = latest_run();
  if (latest.run == run) return;
  if (kinds.init && latest.run != kHostRun && !latest.has_accessed) believe_all_written();
  latest = {run, false};
}

std::string source_text(const char* file, unsigned line) {
  return path_of_original(file == nullptr ? "" : file) + ":" + std::to_string(line);
}

}  // namespace

void begin_task(Run run) {
  Context& here = context();
  here.run = run;
  here.in_task = true;
}

void end_task(const char* name) {
  Context& here = context();
  const std::lock_guard guard(lock());
  settle_pending(here);
  here.in_task = false;
  here.run = kHostRun;
  if (kinds.init && !is_known_task(name)) believe_all_written();
}

void begin_block(Run run, std::uint64_t block, void* dynamic_shared, std::size_t bytes, std::size_t most) {
  Context& here = context();
  here.run = run;
  here.in_block = true;
  here.last_pc = nullptr;
  here.has_accessed = false;
  const std::lock_guard guard(lock());
  note_beginning(run);
  here.clocks = &BlockClocks::current();
  here.scheduler = BlockScheduler::current();
  here.clocks->begin(run, block);
  auto region = Regions::instance().find(place(dynamic_shared));
  if (region == nullptr || region->begin != place(dynamic_shared)) {
    check::Region made;
    made.begin = made.end = place(dynamic_shared);
    made.limit = made.begin + most;
    made.space = Space::kShared;
    made.name = "dynamic shared memory";
    region = Regions::instance().add(std::move(made));
  }
  if (region->end == region->begin + bytes) return;
  region->end = region->begin + bytes;
  Regions::instance().changed(*region);
}

void end_block() {
  Context& here = context();
  const std::lock_guard guard(lock());
  settle_pending(here);
  if (latest_run().run == here.run) latest_run().has_accessed |= here.has_accessed;
  here.in_block = false;
  here.run = kHostRun;
}

void forget_latest_run() { latest_run() = {}; }

void barrier_complete() {
  const std::lock_guard guard(lock());
  settle_pending(context());
  BlockClocks::current().barrier();
}

void grid_barrier_complete() {
  const std::lock_guard guard(lock());
  BlockClocks::current().grid_barrier();
}

void warp_sync_complete(unsigned warp, lanemask_t lanes) {
  const std::lock_guard guard(lock());
  settle_pending(context());
  BlockClocks::current().warp_sync(warp, lanes);
}

void different_calls(const char* type, const char* text, const void* one, unsigned one_thread, const void* other,
                     unsigned other_thread) {
  if (!kinds.sync) return;
  const BlockClocks& block = BlockClocks::current();
  add({"sync", type, text, "",
       {{"call", describe(block.run, block.block, one_thread), {place(one)}, "", note_of(block.run)},
        {"call", describe(block.run, block.block, other_thread), {place(other)}, "", note_of(block.run)}},
       true});
}

void different_masks(const void* site, const GivenMask& one, const GivenMask& other) {
  if (!kinds.sync) return;
  const BlockClocks& block = BlockClocks::current();
  Finding finding{"sync", "mask", "lanes of one warp call the same collective with different masks that overlap", "", {}};
  for (const GivenMask& given : {one, other}) {
    char what[64];
    std::snprintf(what, sizeof what, "call with the mask 0x%08llx", static_cast<unsigned long long>(given.mask));
    finding.places.push_back(
        {what, describe(block.run, block.block, given.thread), {place(site)}, "", note_of(block.run)});
  }
  add(std::move(finding));
}

void deadlock(const std::vector<std::pair<const void*, unsigned>>& calls) {
  if (!kinds.sync) return;
  const BlockClocks& block = BlockClocks::current();
  Finding finding{"sync", "deadlock", "the threads of a block wait for each other", "", {}};
  for (const auto& [site, thread] : calls)
    finding.places.push_back(
        {"call", describe(block.run, block.block, thread), {place(site)}, "", note_of(block.run)});
  add(std::move(finding));
}

void bad_collective(const char* type, const std::string& text, const void* site) {
  if (!kinds.sync) return;
  Finding finding{"sync", type, text, "", {{"call", describe_caller(), {}, "", note_of_caller()}}};
  if (site != nullptr) finding.places[0].frames.push_back(place(site));
  add(std::move(finding));
}

void fault(const std::string& text) {
  if (!kinds.memory) return;
  const Context& here = context();
  const FaultingAccess& fault = here.fault;
  const auto region = Regions::instance().nearest(place(fault.address));
  // An instrumented access to unknown memory reaches no hook after the first one: then the fault itself tells the
  // instruction, as without instrumentation. In a function of the C library, the hook knows the call. Return addresses are
  // one byte behind calls.
  const bool passed_by = Regions::is_of_user(place(fault.address)) && is_instrumented_code(fault.pc);
  const bool by_hook = here.last_pc != nullptr && !passed_by;
  const std::uintptr_t pc = by_hook ? place(here.last_pc) : fault.pc == nullptr ? 0 : place(fault.pc) + 1;
  const bool writes = by_hook ? here.last_write : fault.writes;
  Finding finding{"memory", "illegal-address", text, region == nullptr ? "" : region->describe(place(fault.address)),
                  {{writes ? "write" : "read", describe_caller(), {}, "", note_of_caller()}}};
  if (pc != 0) finding.places[0].frames.push_back(pc);
  if (region != nullptr && !region->allocated_at.empty())
    finding.places.push_back({"allocated", "", region->allocated_at, ""});
  add(std::move(finding));
}

void bad_index(const char* file, unsigned line, long long index, const char* type) {
  if (!kinds.memory || !context().in_block) return;
  const std::lock_guard guard(lock());
  add({"memory", "index", "the index " + std::to_string(index) + " is outside of the array of type " + type, "",
       {{"index", describe_caller(), {}, source_text(file, line), note_of_caller()}}});
}

void bad_address(const char* file, unsigned line, const void* address, std::size_t alignment, const char* type) {
  if (!kinds.memory || !context().in_block) return;
  const bool misaligned = alignment >= 2 && place(address) % alignment != 0;
  if (!misaligned) return;
  char text[160];
  std::snprintf(text, sizeof text, "the address %p of an object of type %s is no multiple of %zu", address, type,
                alignment);
  const std::lock_guard guard(lock());
  add({"memory", "misaligned", text, "",
       {{"access", describe_caller(), {}, source_text(file, line), note_of_caller()}}});
}

}  // namespace simtrt::check
