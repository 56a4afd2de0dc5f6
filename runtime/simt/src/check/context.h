// State of the checkers: their lock, source places of accesses, and the work that each thread executes.
//
// Ownership: each thread of the operating system owns its Context.
// Threads: any. Memory ordering: lock() guards all data except the contexts.
#pragma once

#include "check/clocks.h"
#include "check/findings.h"
#include "check/lock.h"
#include "check/regions.h"
#include "kernel/block_scheduler.h"

#include <simtrt/check_access.h>

#include <array>
#include <mutex>  // std::lock_guard

namespace simtrt::check {

/// Sites are numbers of return addresses.
std::uint32_t site_of(const void* pc);
std::uintptr_t pc_of(std::uint32_t site);

/// Region of an address, for one page of addresses.
struct PageEntry {
  std::uintptr_t page = ~std::uintptr_t{0};
  std::uint64_t version = 0;
  std::shared_ptr<Region> region;  ///< null: no region overlaps the page
};
struct SiteEntry {
  const void* pc = nullptr;
  std::uint32_t number = 0;
};

/// Access that raised a signal in a kernel.
struct FaultingAccess {
  const void* address = nullptr;
  const void* pc = nullptr;  ///< the instruction; null if unknown
  bool writes = false;
};

/// Work that a thread of the operating system executes.
struct Context : ThreadAccesses {
  Run run = kHostRun;
  BlockClocks* clocks = nullptr;  ///< of the running block
  const BlockScheduler* scheduler = nullptr;  ///< of the running block
  bool in_block = false;
  bool in_task = false;
  FaultingAccess fault;       ///< latest fault of the thread
  unsigned last_atomic_thread = 0;  ///< thread of the last atomic write, and its block
  std::uint64_t last_atomic_serial = 0;

  /// A write after an unordered write of another thread: no race if both write the same value, which is
  /// known at the next event only.
  struct Pending {
    bool any = false;
    std::uintptr_t address = 0;
    std::size_t size = 0;
    std::array<unsigned char, 16> before{};
    Finding finding;
  } pending;

  std::array<PageEntry, kPages> pages;
  std::array<SiteEntry, 256> sites;
};
/// Makes the context of the calling thread, which has none.
Context& make_context();
/// The context of the calling thread.
inline Context& context() {
  if (__builtin_expect(thread_accesses == nullptr, false)) return make_context();
  return static_cast<Context&>(*thread_accesses);  // only make_context() sets it
}
/// Called by the signal handler, before the thread of the kernel reports its fault.
void note_fault(const FaultingAccess& access);

inline std::uintptr_t place(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// True if the calling thread executes nothing whose accesses can be judged.
bool is_unknown(const Context& here);
/// Number of the running thread in its block.
inline unsigned thread_number(const Context& here) { return here.scheduler->rank(); }
/// "kernel k, block (0,0,0), thread (1,0,0)" of the caller.
std::string describe_caller();
/// Note of the call that submitted the caller's work, or of the call that runs on the host.
std::uint64_t note_of_caller();
/// Call stack of the running thread, beginning with `pc`.
std::vector<std::uintptr_t> stack_from(const void* pc);
/// Number of the site `pc`, without the lock for a site that the thread has seen.
inline std::uint32_t known_site(Context& here, const void* pc) {
  SiteEntry& entry = here.sites[reinterpret_cast<std::uintptr_t>(pc) % here.sites.size()];
  if (entry.pc != pc) entry = {pc, site_of(pc)};
  return entry.number;
}
/// "atomic write of 4 bytes".
std::string access_text(unsigned flags, std::size_t size);
/// Place of an access of the caller, with its call stack.
Place caller_place(unsigned flags, std::size_t size, std::uint32_t site);
/// "shared" or "global".
const char* name_of(Space space);

}  // namespace simtrt::check
