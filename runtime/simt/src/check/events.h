// Events of the runtime for the checkers. Callers test `check::active` first, so that the checkers cost one load of a
// constant while they are off.
//
// Ownership: the functions keep no reference to their arguments.
// Threads: any. Memory ordering: one lock of the checkers guards their data (access.cpp).
#pragma once

#include "check/order.h"
#include "check/settings.h"

#include <simtrt/config.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace simtrt {

struct Allocation;
class GridRun;
struct Extent;
struct Region;

namespace check {

/// Additional bytes behind each allocation, which no program may access.
inline constexpr std::size_t kRedZone = 4096;

// Memory.
void allocated(const Allocation& allocation);
/// Adds all existing memory, whose content counts as written.
void add_known_memory();
void freed(const Allocation& allocation);
/// The address space of freed memory is used again.
void forgotten(const void* begin);
void freed_in_stream(const void* begin, const Stream& stream, std::uint64_t number);
/// A free of a pointer that is no allocation's begin.
void bad_free(const void* pointer);
/// A copy or fill that the runtime refuses.
void bad_copy(const char* what, const void* pointer, std::size_t size);
void shared_variable(std::uintptr_t window, std::size_t window_bytes, std::uintptr_t copy, std::size_t bytes);
void copied(const simtrt::Region& to, const simtrt::Region& from, const Extent& extent);
void filled(const simtrt::Region& to, const Extent& extent);

/// True if the address is in a module with instrumented code.
bool is_instrumented_code(const void* address);

// Work of streams. A task's accesses belong to the run that the thread executes.
void begin_task(Run run);
void end_task(const char* name);

// Blocks.
void begin_block(Run run, std::uint64_t block, void* dynamic_shared, std::size_t bytes, std::size_t most);
void end_block();
/// Forgets which kernel has run last. The caller holds the lock.
void forget_latest_run();
void barrier_complete();
void grid_barrier_complete();
void warp_sync_complete(unsigned warp, lanemask_t lanes);

// Barriers and collectives.
void different_calls(const char* type, const char* text, const void* one, unsigned one_thread, const void* other,
                     unsigned other_thread);
/// Mask that a thread of the running block has given to a collective.
struct GivenMask {
  lanemask_t mask = 0;
  unsigned thread = 0;
};
void different_masks(const void* site, const GivenMask& one, const GivenMask& other);
/// The running block is deadlocked: its threads wait in these calls, each named once with its first thread.
void deadlock(const std::vector<std::pair<const void*, unsigned>>& calls);
void bad_collective(const char* type, const std::string& text, const void* site);
/// A fault of the running thread at its last access.
void fault(const std::string& text);

}  // namespace check
}  // namespace simtrt
