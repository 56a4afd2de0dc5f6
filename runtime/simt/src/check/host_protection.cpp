#include "check/host_protection.h"

#include "check/context.h"
#include "check/session.h"
#include "kernel/fault_signals.h"
#include "memory/arena.h"
#include "process/loaded_module.h"
#include "process/runtime_thread.h"

#include <execinfo.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

namespace simtrt::check {
namespace {

struct Pages {
  char* begin = nullptr;
  char* end = nullptr;
  bool open = false;

  void allow(int accesses) {
    static_cast<void>(mprotect(begin, static_cast<std::size_t>(end - begin), accesses));
    open = accesses != PROT_NONE;
  }
};

struct Table {
  std::mutex mutex;
  std::map<char*, Pages> by_begin;  ///< by first page
  bool any_open = false;
};
Table& table() {
  static auto& made = *new Table();
  return made;
}

/// Addresses of the interrupted calls, innermost first, as return addresses.
std::vector<std::uintptr_t> interrupted_frames(const void* pc) {
  std::array<void*, 64> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  const auto end = frames.begin() + count;
  const auto here = std::find(frames.begin(), end, pc);
  std::vector<std::uintptr_t> found{place(pc) + 1};
  for (auto at = here; at != end && at + 1 != end && found.size() < 12; ++at) found.push_back(place(at[1]));
  return found;
}

/// True if the runtime, or a function of the C library that the runtime called, executes the access.
bool is_of_runtime(const std::vector<std::uintptr_t>& frames, const void* pc) {
  const void* own = module_at(reinterpret_cast<const void*>(&open_device_memory)).begin;
  if (module_at(pc).begin == own) return true;
  return frames.size() > 1 && module_at(pc).begin == module_at(reinterpret_cast<const void*>(&std::abort)).begin &&
         module_at(reinterpret_cast<const void*>(frames[1])).begin == own;
}

}  // namespace

void protect_from_host(char* begin) {
  const auto [first, end] = Arena::instance().pages_of(begin);
  if (first == nullptr) return;
  install_fault_handlers();
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  Pages& pages = all.by_begin[first] = {first, end, false};
  pages.allow(PROT_NONE);
}

void protect_again() {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  if (!all.any_open) return;
  for (auto& [begin, pages] : all.by_begin) {
    if (pages.open) pages.allow(PROT_NONE);
  }
  all.any_open = false;
}

void forget_protection(char* begin) {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  auto it = all.by_begin.upper_bound(begin);
  if (it == all.by_begin.begin() || begin >= std::prev(it)->second.end) return;
  --it;
  it->second.allow(PROT_READ | PROT_WRITE);
  all.by_begin.erase(it);
}

void forget_protections() {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  for (auto& [begin, pages] : all.by_begin) pages.allow(PROT_READ | PROT_WRITE);
  all.by_begin.clear();
}

bool open_device_memory(const void* address, const void* pc) {
  Table& all = table();
  {
    const std::lock_guard lock(all.mutex);
    auto* byte = const_cast<char*>(static_cast<const char*>(address));
    auto it = all.by_begin.upper_bound(byte);
    if (it == all.by_begin.begin() || byte >= std::prev(it)->second.end) return false;
    std::prev(it)->second.allow(PROT_READ | PROT_WRITE);
    all.any_open = true;
  }
  const Context& here = context();
  if (here.in_block || here.in_task || RuntimeThread::current() != nullptr) return true;
  auto frames = interrupted_frames(pc);
  if (is_of_runtime(frames, pc)) return true;
  const std::lock_guard guard(lock());
  const auto region = Regions::instance().find(place(address));
  add({"host", "device-memory", "the host accesses memory of the device",
       region == nullptr ? "" : region->describe(place(address)),
       {{"access", "the host", std::move(frames), "", current_note()}}});
  return true;
}

}  // namespace simtrt::check
