// State of the checkers that access.cpp, memory_events.cpp and block_events.cpp share.
//
// Ownership: each thread of the operating system owns its Context.
// Threads: any. Memory ordering: lock() guards all data except the contexts.
#pragma once

#include "check/clocks.h"
#include "check/findings.h"
#include "check/regions.h"

#include <array>
#include <mutex>

namespace simtrt::check {

std::mutex& lock();

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

/// Work that a thread of the operating system executes.
struct Context {
  Run run = kHostRun;
  BlockClocks* clocks = nullptr;  ///< of the running block
  bool in_block = false;
  bool in_task = false;
  bool has_accessed = false;  ///< true after an instrumented access of the running block
  const void* last_pc = nullptr;  ///< last instrumented access
  bool last_write = false;
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

  std::array<PageEntry, 256> pages;
  std::array<SiteEntry, 256> sites;
};
Context& context();

inline std::uintptr_t place(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// True if the calling thread executes nothing whose accesses can be judged.
bool is_unknown(const Context& here);
/// Number of the running thread in its block.
unsigned thread_number();
/// "kernel k, block (0,0,0), thread (1,0,0)" of the caller.
std::string describe_caller();
/// Note of the call that submitted the caller's work, or of the call that runs on the host.
std::uint64_t note_of_caller();
/// Forgets what atomic writes have released. The caller holds the lock.
void forget_releases();
/// Call stack of the running thread, beginning with `pc`.
std::vector<std::uintptr_t> stack_from(const void* pc);

void settle_pending(Context& here);
/// Records and checks an access to a range in known memory.
void check_range(Context& here, std::uintptr_t address, std::size_t size, unsigned flags, std::uint32_t site);

}  // namespace simtrt::check
