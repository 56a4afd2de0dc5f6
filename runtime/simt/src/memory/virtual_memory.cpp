// Sources: CUDA Driver API 12.4, "Virtual Memory Management"; mmap(2), memfd_create(2).
#include "memory/virtual_memory.h"

#include "memory/memory.h"
#include "process/shared_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <iterator>
#include <utility>

namespace simtrt {
namespace {

bool is_size(std::size_t bytes) { return bytes != 0 && bytes % kVirtualGranularity == 0; }

// Replaces what is mapped at a place by reserved addresses.
bool close_off(char* begin, std::size_t bytes) {
  return mmap(begin, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
              0) != MAP_FAILED;
}

}  // namespace

PhysicalMemory::~PhysicalMemory() {
  close(file);
  if (!of_other) uncount_device_memory(properties.location.id, bytes);
}

VirtualMemory& VirtualMemory::instance() {
  static auto& made = *new VirtualMemory();
  return made;
}

simtError_t VirtualMemory::reserve(std::size_t bytes, std::size_t alignment, char* wanted,
                                   char** begin) {
  if (!is_size(bytes) || (alignment & (alignment - 1)) != 0) return simtErrorInvalidValue;
  const std::size_t unit = std::max(alignment, kVirtualGranularity);
  const std::lock_guard lock(mutex_);
  const auto take = [](char* place, std::size_t size) {
    void* taken =
        mmap(place, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return taken == MAP_FAILED ? nullptr : static_cast<char*>(taken);
  };
  if (wanted != nullptr && reinterpret_cast<std::uintptr_t>(wanted) % unit == 0) {
    char* const taken = take(wanted, bytes);
    if (taken == wanted) {
      reserved_[taken] = bytes;
      *begin = taken;
      return simtSuccess;
    }
    if (taken != nullptr) munmap(taken, bytes);
  }
  if (bytes + unit < bytes) return simtErrorMemoryAllocation;
  char* const taken = take(nullptr, bytes + unit);
  if (taken == nullptr) return simtErrorMemoryAllocation;
  const std::size_t before = (unit - reinterpret_cast<std::uintptr_t>(taken) % unit) % unit;
  if (before != 0) munmap(taken, before);
  munmap(taken + before + bytes, unit - before);
  reserved_[taken + before] = bytes;
  *begin = taken + before;
  return simtSuccess;
}

simtError_t VirtualMemory::unreserve(const char* begin, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto range = reserved_.find(begin);
  if (range == reserved_.end() || range->second != bytes) return simtErrorInvalidValue;
  const auto next = mappings_.lower_bound(begin);
  if (next != mappings_.end() && next->first < begin + bytes) return simtErrorInvalidValue;
  reserved_.erase(range);
  munmap(const_cast<char*>(begin), bytes);
  return simtSuccess;
}

simtError_t VirtualMemory::create(std::size_t bytes, const simtDrvMemAllocationProp& properties,
                                  Handle* handle) {
  if (!is_size(bytes)) return simtErrorInvalidValue;
  const int device = properties.location.id;
  if (!count_device_memory(device, bytes)) return simtErrorMemoryAllocation;
  const int file = make_shared_file("simt", bytes);
  if (file < 0) {
    uncount_device_memory(device, bytes);
    return simtErrorMemoryAllocation;
  }
  const std::lock_guard lock(mutex_);
  *handle = add(std::make_shared<PhysicalMemory>(file, bytes, properties, false));
  return simtSuccess;
}

simtError_t VirtualMemory::release(Handle handle) {
  const std::lock_guard lock(mutex_);
  const auto memory = find(handle);
  if (memory == nullptr) return simtErrorInvalidValue;
  if (--memory->handles == 0) memories_.erase(handle);
  return simtSuccess;
}

simtError_t VirtualMemory::map(char* begin, std::size_t bytes, Handle handle) {
  const std::lock_guard lock(mutex_);
  const auto memory = find(handle);
  if (memory == nullptr || memory->bytes != bytes || !is_reserved(begin, bytes))
    return simtErrorInvalidValue;
  const auto next = mappings_.lower_bound(begin);
  if ((next != mappings_.end() && next->first < begin + bytes) ||
      containing(begin) != mappings_.end()) {
    return simtErrorInvalidValue;
  }
  if (mmap(begin, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file, 0) == MAP_FAILED)
    return simtErrorMemoryAllocation;
  auto first = mappings_.emplace(begin, Mapping{bytes, memory}).first;
  auto last = std::next(first);
  while (first != mappings_.begin() && joins(std::prev(first), first)) --first;
  while (last != mappings_.end() && joins(std::prev(last), last)) ++last;
  record(first, last);
  return simtSuccess;
}

simtError_t VirtualMemory::unmap(char* begin, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto [first, last] = filling(begin, bytes);
  if (first == mappings_.end()) return simtErrorInvalidValue;
  auto left = first;
  while (left != mappings_.begin() && joins(std::prev(left), left)) --left;
  auto right = last;
  while (right != mappings_.end() && joins(std::prev(right), right)) ++right;
  if (!close_off(begin, bytes)) return simtErrorMemoryAllocation;
  MemoryMap::instance().forget(left->first);
  if (left != first) record(left, first);
  if (last != right) record(last, right);
  mappings_.erase(first, last);
  return simtSuccess;
}

simtError_t VirtualMemory::set_access(char* begin, std::size_t bytes,
                                      simtDrvMemAccess_flags access) {
  const std::lock_guard lock(mutex_);
  const auto [first, last] = filling(begin, bytes);
  if (first == mappings_.end()) return simtErrorInvalidValue;
  const int protection = access == SIMT_DRV_MEM_ACCESS_FLAGS_PROT_NONE   ? PROT_NONE
                         : access == SIMT_DRV_MEM_ACCESS_FLAGS_PROT_READ ? PROT_READ
                                                                         : PROT_READ | PROT_WRITE;
  if (mprotect(begin, bytes, protection) != 0) return simtErrorMemoryAllocation;
  for (auto one = first; one != last; ++one) one->second.access = access;
  return simtSuccess;
}

simtError_t VirtualMemory::access(const char* place, simtDrvMemAccess_flags* found) {
  const std::lock_guard lock(mutex_);
  const auto mapping = containing(place);
  if (mapping == mappings_.end()) return simtErrorInvalidValue;
  *found = mapping->second.access;
  return simtSuccess;
}

simtError_t VirtualMemory::properties(Handle handle, simtDrvMemAllocationProp* found) {
  const std::lock_guard lock(mutex_);
  const auto memory = find(handle);
  if (memory == nullptr) return simtErrorInvalidValue;
  *found = memory->properties;
  return simtSuccess;
}

simtError_t VirtualMemory::retain(const char* place, Handle* handle) {
  const std::lock_guard lock(mutex_);
  const auto mapping = containing(place);
  if (mapping == mappings_.end()) return simtErrorInvalidValue;
  ++mapping->second.memory->handles;
  *handle = add(mapping->second.memory);
  return simtSuccess;
}

simtError_t VirtualMemory::export_file(Handle handle, int* descriptor) {
  const std::lock_guard lock(mutex_);
  const auto memory = find(handle);
  if (memory == nullptr ||
      (memory->properties.requestedHandleTypes & SIMT_DRV_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) ==
          0) {
    return simtErrorInvalidValue;
  }
  *descriptor = fcntl(memory->file, F_DUPFD_CLOEXEC, 0);
  return *descriptor < 0 ? simtErrorOperatingSystem : simtSuccess;
}

simtError_t VirtualMemory::import_file(int descriptor, Handle* handle) {
  const std::size_t bytes = size_of_file(descriptor);
  if (!is_size(bytes)) return simtErrorInvalidValue;
  const int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (file < 0) return simtErrorOperatingSystem;
  simtDrvMemAllocationProp properties{};
  properties.type = SIMT_DRV_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = SIMT_DRV_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = SIMT_DRV_MEM_LOCATION_TYPE_DEVICE;
  const std::lock_guard lock(mutex_);
  *handle = add(std::make_shared<PhysicalMemory>(file, bytes, properties, true));
  return simtSuccess;
}

VirtualMemory::Handle VirtualMemory::add(std::shared_ptr<PhysicalMemory> memory) {
  const auto handle = static_cast<Handle>(reinterpret_cast<std::uintptr_t>(memory.get()));
  memories_[handle] = std::move(memory);
  return handle;
}

std::shared_ptr<PhysicalMemory> VirtualMemory::find(Handle handle) const {
  const auto found = memories_.find(handle);
  return found == memories_.end() ? nullptr : found->second;
}

VirtualMemory::Mappings::iterator VirtualMemory::containing(const char* place) {
  auto next = mappings_.upper_bound(place);
  if (next == mappings_.begin()) return mappings_.end();
  --next;
  return place < next->first + next->second.bytes ? next : mappings_.end();
}

std::pair<VirtualMemory::Mappings::iterator, VirtualMemory::Mappings::iterator>
VirtualMemory::filling(const char* begin, std::size_t bytes) {
  const auto none = std::pair(mappings_.end(), mappings_.end());
  const auto first = mappings_.find(begin);
  if (bytes == 0) return none;
  const char* place = begin;
  auto one = first;
  for (; place < begin + bytes; ++one) {
    if (one == mappings_.end() || one->first != place) return none;
    place += one->second.bytes;
  }
  return place == begin + bytes ? std::pair(first, one) : none;
}

bool VirtualMemory::is_reserved(const char* begin, std::size_t bytes) const {
  auto next = reserved_.upper_bound(begin);
  if (next == reserved_.begin()) return false;
  --next;
  return begin + bytes <= next->first + next->second;
}

bool VirtualMemory::joins(Mappings::const_iterator left, Mappings::const_iterator right) const {
  return left->first + left->second.bytes == right->first &&
         left->second.memory->properties.location.id ==
             right->second.memory->properties.location.id;
}

// Enters mappings that follow each other into the memory map as one allocation.
void VirtualMemory::record(Mappings::const_iterator from, Mappings::const_iterator until) {
  const auto last = std::prev(until);
  const auto size = static_cast<std::size_t>(last->first + last->second.bytes - from->first);
  MemoryMap::instance().add({const_cast<char*>(from->first), size, MemoryKind::kImported,
                             from->second.memory->properties.location.id, 0, nullptr, false});
  for (auto one = std::next(from); one != until; ++one) MemoryMap::instance().forget(one->first);
}

}  // namespace simtrt
