#include "streams/graph_memory.h"

#include "memory/memory.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace simtrt {
namespace {

// All objects by address. The mutex also guards the state of the objects.
struct Registry {
  /// Number of objects. It is usually 0; then find() does not take the lock.
  std::atomic<int> count{0};
  std::mutex mutex;
  std::map<const void*, std::weak_ptr<GraphMemory>> by_begin;
  /// Bytes by device.
  std::map<int, std::size_t> bytes;
  std::map<int, std::size_t> highest_bytes;
};
Registry& registry() {
  static auto& known = *new Registry();
  return known;
}

}  // namespace

simtError_t GraphMemory::allocate(int device, std::size_t size,
                                  std::shared_ptr<GraphMemory>* memory) {
  void* begin = nullptr;
  const simtError_t error = allocate_device(device, size, MemoryKind::kDevice, 0, nullptr, &begin);
  if (error != simtSuccess) return error;
  memory->reset(new GraphMemory(begin, size, device));
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.by_begin[begin] = *memory;
  known.count.fetch_add(1);
  known.bytes[device] += size;
  known.highest_bytes[device] = std::max(known.highest_bytes[device], known.bytes[device]);
  return simtSuccess;
}

std::shared_ptr<GraphMemory> GraphMemory::find(const void* pointer) {
  Registry& known = registry();
  if (known.count.load() == 0) return nullptr;
  const std::lock_guard lock(known.mutex);
  const auto it = known.by_begin.find(pointer);
  return it == known.by_begin.end() ? nullptr : it->second.lock();
}

void GraphMemory::forget_all(int device) {
  std::vector<std::shared_ptr<GraphMemory>> last;  // destroyed after the lock is released
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  for (auto it = known.by_begin.begin(); it != known.by_begin.end();) {
    auto memory = it->second.lock();
    if (memory == nullptr || memory->device != device) {
      ++it;
      continue;
    }
    memory->forgotten_ = true;
    known.bytes[device] -= memory->size;
    memory->allocated_ = nullptr;
    last.push_back(std::move(memory));
    it = known.by_begin.erase(it);
  }
}

std::size_t GraphMemory::bytes(int device) {
  const std::lock_guard lock(registry().mutex);
  return registry().bytes[device];
}

std::size_t GraphMemory::highest_bytes(int device) {
  const std::lock_guard lock(registry().mutex);
  return registry().highest_bytes[device];
}

void GraphMemory::reset_highest(int device) {
  const std::lock_guard lock(registry().mutex);
  registry().highest_bytes[device] = registry().bytes[device];
}

GraphMemory::~GraphMemory() {
  {
    Registry& known = registry();
    known.count.fetch_sub(1);
    const std::lock_guard lock(known.mutex);
    if (forgotten_) return;
    known.by_begin.erase(begin);
    known.bytes[device] -= size;
  }
  if (const auto allocation =
          MemoryMap::instance().take(begin, MemoryKind::kDevice, MemoryKind::kDevice)) {
    release(*allocation);
  }
}

bool GraphMemory::is_there() const {
  const std::lock_guard lock(registry().mutex);
  return !forgotten_;
}

bool GraphMemory::is_allocated() const {
  const std::lock_guard lock(registry().mutex);
  return allocated_ != nullptr;
}

void GraphMemory::note_allocated() {
  auto self = shared_from_this();
  const std::lock_guard lock(registry().mutex);
  if (!forgotten_) allocated_ = std::move(self);
}

bool GraphMemory::note_freed() {
  std::shared_ptr<GraphMemory> self;
  const std::lock_guard lock(registry().mutex);
  self.swap(allocated_);
  // The caller has another reference, so `self` is not the last one.
  return self != nullptr;
}

}  // namespace simtrt
