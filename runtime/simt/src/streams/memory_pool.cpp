#include "streams/memory_pool.h"

#include "check/events.h"
#include "streams/device.h"

#include <algorithm>
#include <optional>

namespace simtrt {
namespace {

constexpr std::size_t kGranularity = 512;

std::size_t rounded(std::size_t size) {
  return (size + kGranularity - 1) / kGranularity * kGranularity;
}

// Number of free bytes in all pools. It is usually 0; then no call searches the pools.
std::atomic<std::size_t> free_bytes{0};

struct AllPools {
  std::mutex mutex;
  std::vector<MemoryPool*> pools;  // pools are never deleted: their memory may be freed later
};
AllPools& all_pools() {
  static auto& all = *new AllPools();
  return all;
}

template <class Action>
void each_pool(int device, Action action) {
  AllPools& all = all_pools();
  const std::lock_guard lock(all.mutex);
  for (MemoryPool* pool : all.pools) {
    if (pool->device == device) action(*pool);
  }
}

bool is_done(const Dependency& work) { return work.stream->reached(work.count); }

}  // namespace

MemoryPool::MemoryPool(int device, std::size_t most) : device(device), most_(most) {
  AllPools& all = all_pools();
  const std::lock_guard lock(all.mutex);
  all.pools.push_back(this);
}

bool MemoryPool::is_usable(const Block& block, const Stream& stream, Ordering ordering) const {
  if (block.work.stream.get() == &stream) return true;
  if (reuse_follow_event != 0 && stream.is_ordered_after(block.work)) return true;
  if (reuse_opportunistic != 0 && is_done(block.work)) return true;
  return ordering == Ordering::kAddDependency && reuse_internal != 0;
}

// Finds the smallest free block that is large enough. A block is skipped if most of it would be
// unused.
MemoryPool::Blocks::iterator MemoryPool::find_block(const Stream& stream, std::size_t size,
                                                    Ordering ordering) {
  auto best = free_.end();
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->capacity < size || it->capacity / 2 > size) continue;
    if (best != free_.end() && best->capacity <= it->capacity) continue;
    if (is_usable(*it, stream, ordering)) best = it;
  }
  return best;
}

void MemoryPool::note_use(void* pointer, std::size_t size, std::size_t capacity) {
  auto* begin = static_cast<char*>(pointer);
  if (capacity != rounded(size)) capacities_[begin] = capacity;
  usage_.used += size;
  usage_.used_high = std::max(usage_.used_high, usage_.used);
}

void* MemoryPool::take_block(Blocks::iterator block, std::size_t size) {
  char* begin = block->begin;
  free_bytes.fetch_sub(block->capacity);
  note_use(begin, size, block->capacity);
  free_.erase(block);
  const Allocation taken{begin, size, MemoryKind::kDevice, device, 0, this, false};
  MemoryMap::instance().add(taken);
  if (check::active) check::allocated(taken);
  return begin;
}

simtError_t MemoryPool::allocate_new(std::size_t size, void** pointer) {
  const std::size_t capacity = rounded(size);
  if (most_ != 0 && usage_.reserved + capacity > most_) return simtErrorMemoryAllocation;
  const simtError_t error = allocate_device(device, size, MemoryKind::kDevice, 0, this, pointer);
  if (error != simtSuccess) return error;
  usage_.reserved += capacity;
  usage_.reserved_high = std::max(usage_.reserved_high, usage_.reserved);
  note_use(*pointer, size, capacity);
  return simtSuccess;
}

// The Programming Guide states the order of preference: memory whose last use precedes the stream's
// next work; new memory; memory that is free only after the stream has waited for its last use.
simtError_t MemoryPool::allocate(const std::shared_ptr<Stream>& stream, std::size_t size,
                                 void** pointer) {
  *pointer = nullptr;
  if (size == 0) return simtSuccess;
  if (size > device_memory_bytes()) return simtErrorMemoryAllocation;
  do {
    std::optional<Dependency> work;
    {
      const std::lock_guard lock(mutex_);
      auto block = find_block(*stream, rounded(size), Ordering::kOrdered);
      if (block == free_.end()) {
        if (allocate_new(size, pointer) == simtSuccess) return simtSuccess;
        trim_locked(0);
        if (allocate_new(size, pointer) == simtSuccess) return simtSuccess;
        block = find_block(*stream, rounded(size), Ordering::kAddDependency);
        if (block != free_.end()) work = block->work;
      }
      if (block != free_.end()) *pointer = take_block(block, size);
    }
    if (work) {
      stream->device.submit(
          stream, std::make_shared<const Work>(TaskWork{"simtMallocAsync", [] {}}), {*work});
    }
    if (*pointer != nullptr) return simtSuccess;
    // The memory may suffice when the free memory of other pools is returned to the system.
    release_free_memory(device);
    {
      const std::lock_guard lock(mutex_);
      if (allocate_new(size, pointer) == simtSuccess) return simtSuccess;
    }
  } while (wait_for_block());
  return simtErrorMemoryAllocation;
}

// Waits for a block that is about to become free, and returns this block to the system, because its
// size differs from the required size.
bool MemoryPool::wait_for_block() {
  if (Workers::is_worker()) return false;  // the worker itself may have to run that work
  std::optional<Dependency> work;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) work = free_.front().work;
  }
  if (!work) return false;
  work->stream->wait(work->count);
  return true;
}

std::size_t MemoryPool::forget_use(const Allocation& allocation) {
  usage_.used -= std::min<std::uint64_t>(usage_.used, allocation.size);
  const auto it = capacities_.find(allocation.begin);
  if (it == capacities_.end()) return rounded(allocation.size);
  const std::size_t capacity = it->second;
  capacities_.erase(it);
  return capacity;
}

void MemoryPool::free_after(const Allocation& allocation, Dependency work) {
  const std::lock_guard lock(mutex_);
  const Block block{allocation.begin, forget_use(allocation), std::move(work)};
  free_.push_back(block);
  free_bytes.fetch_add(block.capacity);
}

void MemoryPool::free_now(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  const std::size_t capacity = forget_use(allocation);
  usage_.reserved -= capacity;
  Allocation whole = allocation;
  whole.size = capacity;
  release(whole);
}

void MemoryPool::release_block(const Block& block) {
  free_bytes.fetch_sub(block.capacity);
  usage_.reserved -= block.capacity;
  release({block.begin, block.capacity, MemoryKind::kDevice, device, 0, this, false});
}

void MemoryPool::trim_locked(std::uint64_t keep) {
  for (auto it = free_.begin(); it != free_.end() && usage_.reserved > keep;) {
    if (!is_done(it->work)) {
      ++it;
      continue;
    }
    release_block(*it);
    it = free_.erase(it);
  }
}

void MemoryPool::trim(std::uint64_t keep) {
  const std::lock_guard lock(mutex_);
  trim_locked(keep);
}

void MemoryPool::retire() {
  release_threshold = 0;
  const std::lock_guard lock(mutex_);
  trim_locked(0);
}

void MemoryPool::reset() {
  const std::lock_guard lock(mutex_);
  for (const Block& block : free_) release_block(block);
  free_.clear();
  capacities_.clear();
  usage_ = Usage();
}

std::size_t MemoryPool::capacity(const Allocation& allocation) const {
  const std::lock_guard lock(mutex_);
  const auto it = capacities_.find(allocation.begin);
  return it == capacities_.end() ? rounded(allocation.size) : it->second;
}

MemoryPool::Usage MemoryPool::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

void MemoryPool::reset_used_high() {
  const std::lock_guard lock(mutex_);
  usage_.used_high = usage_.used;
}

void MemoryPool::reset_reserved_high() {
  const std::lock_guard lock(mutex_);
  usage_.reserved_high = usage_.reserved;
}

void trim_pools(int device) {
  if (free_bytes.load(std::memory_order_relaxed) == 0) return;
  each_pool(device, [](MemoryPool& pool) { pool.trim(pool.release_threshold); });
}

void release_free_memory(int device) {
  if (free_bytes.load(std::memory_order_relaxed) == 0) return;
  each_pool(device, [](MemoryPool& pool) { pool.trim(0); });
}

void reset_pools(int device) {
  each_pool(device, [](MemoryPool& pool) { pool.reset(); });
}

}  // namespace simtrt
