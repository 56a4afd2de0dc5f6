#include "memory/memory.h"

#include "check/events.h"
#include "check/host_protection.h"
#include "environment.h"
#include "device_limits.h"
#include "memory/arena.h"

#include <unistd.h>

#include <array>
#include <deque>
#include <mutex>

namespace simtrt {
namespace {

constexpr std::size_t kAlignment = 512;  // granularity of a device's memory use, in bytes
std::array<std::atomic<std::size_t>, kMaxDevices> used{};

// Memory from the arena. The checkers need bytes behind it that no program may access.
char* take_bytes(std::size_t size) {
  if (!check::active) return Arena::instance().allocate(size);
  if (check::uses_guard_pages()) return Arena::instance().allocate_guarded(size);
  return Arena::instance().allocate(size + check::kRedZone);
}

/// Freed memory that the arena does not receive yet, so that the checkers can recognise accesses to it.
struct Waiting {
  std::mutex mutex;
  std::deque<Allocation> allocations;
  std::size_t bytes = 0;
};
Waiting& waiting() {
  static auto& made = *new Waiting();
  return made;
}

// Returns the oldest memory that waits to the arena, until at most `most` bytes wait.
void free_oldest(std::size_t most) {
  Waiting& all = waiting();
  const std::lock_guard lock(all.mutex);
  for (; all.bytes > most; all.allocations.pop_front()) {
    all.bytes -= all.allocations.front().size;
    check::forgotten(all.allocations.front().begin);
    Arena::instance().free(all.allocations.front().begin);
  }
}

void free_late(const Allocation& allocation) {
  constexpr std::size_t kMost = std::size_t{256} << 20;
  {
    const std::lock_guard lock(waiting().mutex);
    waiting().allocations.push_back(allocation);
    waiting().bytes += allocation.size;
  }
  free_oldest(kMost);
}

}  // namespace

MemoryMap& MemoryMap::instance() {
  static MemoryMap& map = *new MemoryMap();
  return map;
}

void MemoryMap::add(const Allocation& allocation) {
  const std::unique_lock lock(mutex_);
  by_begin_[allocation.begin] = allocation;
}

std::optional<Allocation> MemoryMap::find(const void* pointer) const {
  const auto* byte = static_cast<const char*>(pointer);
  const std::shared_lock lock(mutex_);
  auto it = by_begin_.upper_bound(byte);
  if (it == by_begin_.begin()) return std::nullopt;
  --it;
  if (byte >= it->first + it->second.size) return std::nullopt;
  return it->second;
}

std::optional<Allocation> MemoryMap::take(const void* pointer, MemoryKind kind, MemoryKind other) {
  const std::unique_lock lock(mutex_);
  const auto it = by_begin_.find(static_cast<const char*>(pointer));
  if (it == by_begin_.end() || it->second.freeing ||
      (it->second.kind != kind && it->second.kind != other)) {
    return std::nullopt;
  }
  const Allocation taken = it->second;
  by_begin_.erase(it);
  return taken;
}

std::optional<Allocation> MemoryMap::mark_freeing(const void* pointer) {
  const std::unique_lock lock(mutex_);
  const auto it = by_begin_.find(static_cast<const char*>(pointer));
  if (it == by_begin_.end() || it->second.freeing || it->second.kind != MemoryKind::kDevice)
    return std::nullopt;
  it->second.freeing = true;
  return it->second;
}

void MemoryMap::forget(const void* begin) {
  const std::unique_lock lock(mutex_);
  by_begin_.erase(static_cast<const char*>(begin));
}

std::vector<Allocation> MemoryMap::all() const {
  const std::shared_lock lock(mutex_);
  std::vector<Allocation> found;
  for (const auto& [begin, allocation] : by_begin_) found.push_back(allocation);
  return found;
}

std::map<const char*, Allocation> MemoryMap::take_all(int device) {
  std::map<const char*, Allocation> taken;
  const std::unique_lock lock(mutex_);
  for (auto it = by_begin_.begin(); it != by_begin_.end();) {
    const bool own = it->second.device == device && (it->second.kind == MemoryKind::kDevice ||
                                                     it->second.kind == MemoryKind::kManaged);
    if (own) taken.insert(*it);
    it = own ? by_begin_.erase(it) : std::next(it);
  }
  return taken;
}

std::size_t device_memory_bytes() {
  static const std::size_t bytes = [] {
    const auto pages = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES));
    const auto machine = pages * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
    return static_cast<std::size_t>(
        environment_number("SIMT_DEVICE_MEMORY", machine, 1 << 20, INT64_MAX));
  }();
  return bytes;
}

std::size_t used_device_memory(int device) { return used[static_cast<std::size_t>(device)].load(); }

bool count_device_memory(int device, std::size_t bytes) {
  if (bytes > device_memory_bytes()) return false;
  auto& in_use = used[static_cast<std::size_t>(device)];
  if (in_use.fetch_add(bytes) + bytes <= device_memory_bytes()) return true;
  in_use.fetch_sub(bytes);
  return false;
}
void uncount_device_memory(int device, std::size_t bytes) {
  used[static_cast<std::size_t>(device)].fetch_sub(bytes);
}

simtError_t allocate_device(int device, std::size_t size, MemoryKind kind, unsigned flags,
                            MemoryPool* pool, void** pointer) {
  *pointer = nullptr;
  if (size == 0) return simtSuccess;
  if (size > device_memory_bytes()) return simtErrorMemoryAllocation;  // rounding cannot overflow
  const std::size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (!count_device_memory(device, rounded)) return simtErrorMemoryAllocation;
  *pointer = take_bytes(size);
  if (*pointer == nullptr) {
    uncount_device_memory(device, rounded);
    return simtErrorMemoryAllocation;
  }
  const Allocation made{static_cast<char*>(*pointer), size, kind, device, flags, pool, false};
  MemoryMap::instance().add(made);
  if (check::active) check::allocated(made);
  return simtSuccess;
}

simtError_t allocate_host(int device, std::size_t size, unsigned flags, void** pointer) {
  *pointer = nullptr;
  if (size == 0) return simtSuccess;
  *pointer = take_bytes(size);
  if (*pointer == nullptr) return simtErrorMemoryAllocation;
  const Allocation made{static_cast<char*>(*pointer), size, MemoryKind::kHost, device, flags, nullptr, false};
  MemoryMap::instance().add(made);
  if (check::active) check::allocated(made);
  return simtSuccess;
}

void release(const Allocation& allocation) {
  if (allocation.kind == MemoryKind::kDevice || allocation.kind == MemoryKind::kManaged) {
    uncount_device_memory(allocation.device,
                          (allocation.size + kAlignment - 1) / kAlignment * kAlignment);
  }
  if (check::active) {
    check::freed(allocation);
    free_late(allocation);
    return;
  }
  Arena::instance().free(allocation.begin);
}

void release_waiting() { free_oldest(0); }

bool is_known(const void* pointer) { return MemoryMap::instance().find(pointer).has_value(); }

bool is_device_memory(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kImported || kind == MemoryKind::kSymbol;
}

bool is_on_side(const void* pointer, std::size_t size, bool device) {
  const auto found = MemoryMap::instance().find(pointer);
  if (!found) return !device;
  return static_cast<const char*>(pointer) + size <= found->begin + found->size;
}

simtError_t check_copy(const void* to, std::size_t to_size, const void* from, std::size_t from_size,
                       simtMemcpyKind kind) {
  bool to_device = false;
  bool from_device = false;
  switch (kind) {
    case simtMemcpyHostToHost: break;
    case simtMemcpyHostToDevice: to_device = true; break;
    case simtMemcpyDeviceToHost: from_device = true; break;
    case simtMemcpyDeviceToDevice: to_device = from_device = true; break;
    case simtMemcpyDefault: break;
    default: return simtErrorInvalidMemcpyDirection;
  }
  if (to == nullptr || from == nullptr) return simtErrorInvalidValue;
  const bool bad_target = !is_on_side(to, to_size, to_device);
  if (!bad_target && is_on_side(from, from_size, from_device)) return simtSuccess;
  if (check::active)
    check::bad_copy("copy", bad_target ? to : from, bad_target ? to_size : from_size);
  return simtErrorInvalidValue;
}

}  // namespace simtrt
