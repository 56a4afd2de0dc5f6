#include "memory/imported.h"

#include "memory/arena.h"
#include "memory/memory.h"
#include "streams/device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

namespace simtrt {
namespace {

constexpr char kMagic[9] = "SIMTIPC1";
constexpr std::size_t kGuard = 1 << 20;

struct Import {
  MemoryHandle handle{};
  char* whole = nullptr;  ///< mapping of the whole file, between two guards
  std::size_t bytes = 0;
  unsigned uses = 0;
};

struct Imports {
  std::mutex mutex;
  std::map<const void*, Import> by_pointer;
};
Imports& imports() {
  static Imports& all = *new Imports();
  return all;
}

// As with the arena's mappings, guards make an overrun an illegal address.
char* map_between_guards(int file, std::size_t bytes) {
  void* whole = mmap(nullptr, kGuard + bytes + kGuard, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  char* begin = static_cast<char*>(whole) + kGuard;
  if (mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file, 0) ==
      begin)
    return begin;
  munmap(whole, kGuard + bytes + kGuard);
  return nullptr;
}

void remove(const void* pointer, const Import& import) {
  MemoryMap::instance().forget(pointer);
  munmap(import.whole - kGuard, kGuard + import.bytes + kGuard);
}

simtError_t map_new(const MemoryHandle& handle, Imports& all, void** pointer) {
  const int file = open_shared_file(handle.file);
  if (file < 0) return simtErrorInvalidResourceHandle;
  Import made{handle, nullptr, size_of_file(file), 1};
  const bool inside = handle.offset <= made.bytes && handle.size <= made.bytes - handle.offset;
  if (inside) made.whole = map_between_guards(file, made.bytes);
  close(file);
  if (!inside) return simtErrorInvalidValue;
  if (made.whole == nullptr) return simtErrorMapBufferObjectFailed;
  char* begin = made.whole + handle.offset;
  MemoryMap::instance().add(
      {begin, handle.size, MemoryKind::kImported, Device::with_number(handle.device)->ordinal, 0, nullptr, false});
  all.by_pointer.emplace(begin, made);
  *pointer = begin;
  return simtSuccess;
}

}  // namespace

simtError_t export_memory(const void* pointer, MemoryHandle* handle) {
  const auto found = MemoryMap::instance().find(pointer);
  // CUDA Runtime API, "Stream Ordered Memory Allocator": memory of a pool has no such handle unless
  // the pool is shared.
  if (!found || found->kind != MemoryKind::kDevice || found->pool != nullptr || found->freeing ||
      (found->flags & kOfKernel) != 0)
    return simtErrorInvalidValue;
  const auto shared = Arena::instance().share(found->begin);
  if (!shared) return simtErrorMemoryAllocation;
  *handle = {};
  std::memcpy(handle->magic, kMagic, sizeof handle->magic);
  handle->file = address_of_file(shared->file);
  handle->offset = shared->offset;
  handle->size = found->size;
  handle->device = Device::get(found->device)->number;
  return simtSuccess;
}

simtError_t import_memory(const MemoryHandle& handle, void** pointer) {
  if (std::memcmp(handle.magic, kMagic, sizeof handle.magic) != 0) return simtErrorInvalidValue;
  if (Device::with_number(handle.device) == nullptr) return simtErrorInvalidDevice;
  if (handle.file.process == getpid()) return simtErrorDeviceUninitialized;
  Imports& all = imports();
  const std::lock_guard lock(all.mutex);
  for (auto& [begin, import] : all.by_pointer) {
    if (std::memcmp(&import.handle, &handle, sizeof handle) != 0) continue;
    ++import.uses;
    *pointer = const_cast<void*>(begin);
    return simtSuccess;
  }
  return map_new(handle, all, pointer);
}

simtError_t close_imported(const void* pointer) {
  Imports& all = imports();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_pointer.find(pointer);
  if (found == all.by_pointer.end()) return simtErrorInvalidValue;
  if (--found->second.uses != 0) return simtSuccess;
  remove(pointer, found->second);
  all.by_pointer.erase(found);
  return simtSuccess;
}

void close_all_imported(int device) {
  Imports& all = imports();
  const std::lock_guard lock(all.mutex);
  for (auto it = all.by_pointer.begin(); it != all.by_pointer.end();) {
    if (it->second.handle.device != Device::get(device)->number) {
      ++it;
      continue;
    }
    remove(it->first, it->second);
    it = all.by_pointer.erase(it);
  }
}

}  // namespace simtrt
