// Memory pools of simtMallocAsync (CUDA C++ Programming Guide, "Stream Ordered Memory Allocator").
//
// Freed memory stays in its pool. The pool stores the work after which the memory is free; work
// that is ordered after that work may use the memory again. Memory is returned to the system when
// the program waits for work and the pool has reserved more than its release threshold.
//
// Ownership: pools are never deleted, because their memory may be freed later. A pool owns its free
// blocks; the program owns an allocation until it is freed. A free block shares ownership of the
// stream of the work after which it is free.
// Threads: any thread. The mutex of a pool guards its blocks and figures. Memory ordering: the
// mutex. The atomic attributes are numbers that order no other access. Another stream receives a
// block only after `work`, the work after which the block is free: Stream::reached() is an acquire
// load, or the stream waits for `work`.
#pragma once

#include "handles.h"
#include "memory/memory.h"
#include "streams/stream.h"

#include <simt_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace simtrt {

class MemoryPool {
 public:
  /// `most`: largest number of reserved bytes; 0 means no limit.
  MemoryPool(int device, std::size_t most);
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// Allocates memory for work that is submitted to `stream` from now on. Errors: simtErrorMemoryAllocation.
  simtError_t allocate(const std::shared_ptr<Stream>& stream, std::size_t size, void** pointer);
  /// Takes back an allocation of this pool, which the caller has removed from the map. The memory
  /// is free when `work` is complete.
  void free_after(const Allocation& allocation, Dependency work);
  /// Returns an allocation of this pool to the system immediately. The caller has removed the
  /// allocation from the map.
  void free_now(const Allocation& allocation);

  /// Returns free memory to the system while more than `keep` bytes are reserved.
  void trim(std::uint64_t keep);
  /// Called when the handle is destroyed: memory is returned to the system as soon as it is free. Allocations stay
  /// valid.
  void retire();
  /// Called when the device is reset: forgets all allocations and returns free memory to the system.
  void reset();
  /// Size in bytes of the block that contains an allocation; it may exceed the requested size.
  std::size_t capacity(const Allocation& allocation) const;

  struct Usage {
    std::uint64_t used = 0;
    std::uint64_t used_high = 0;
    std::uint64_t reserved = 0;
    std::uint64_t reserved_high = 0;
  };
  Usage usage() const;
  void reset_used_high();
  void reset_reserved_high();

  const int device;
  std::atomic<std::uint64_t> release_threshold{0};
  std::atomic<int> reuse_follow_event{1};
  std::atomic<int> reuse_opportunistic{1};
  std::atomic<int> reuse_internal{1};

 private:
  struct Block {
    char* begin;
    std::size_t capacity;
    Dependency work;
  };
  using Blocks = std::vector<Block>;

  enum class Ordering { kOrdered, kAddDependency };
  Blocks::iterator find_block(const Stream& stream, std::size_t size, Ordering ordering);
  bool is_usable(const Block& block, const Stream& stream, Ordering ordering) const;
  void* take_block(Blocks::iterator block, std::size_t size);
  simtError_t allocate_new(std::size_t size, void** pointer);
  void note_use(void* pointer, std::size_t size, std::size_t capacity);
  void release_block(const Block& block);
  void trim_locked(std::uint64_t keep);
  std::size_t forget_use(const Allocation& allocation);
  bool wait_for_block();

  const std::size_t most_;
  mutable std::mutex mutex_;
  Blocks free_;
  /// Block sizes of allocations that are smaller than their block.
  std::unordered_map<const char*, std::size_t> capacities_;
  Usage usage_;
};

Handles<simtMemPool_t, MemoryPool>& pool_handles();
/// Pool from which simtMallocAsync allocates on a device: the device's own pool, unless
/// simtDeviceSetMemPool has set another one.
simtMemPool_t current_pool(int device);

/// Pool of a handle; null for an invalid handle.
std::shared_ptr<MemoryPool> find_pool(simtMemPool_t handle);

/// Called when the program has waited for work of the device: reduces pools to their release thresholds.
void trim_pools(int device);
/// Returns all free memory in pools of the device to the system.
void release_free_memory(int device);
/// Called by simtDeviceReset: forgets all allocations from pools of the device.
void reset_pools(int device);

}  // namespace simtrt
