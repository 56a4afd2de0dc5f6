// Memory pools of simtMallocAsync (CUDA C++ Programming Guide, "Stream Ordered Memory Allocator").
//
// Freed memory stays with its pool, together with the work after which it is free. It is used again
// by what comes after that work, and goes back to the machine when a program waits for its work and
// the pool holds more than its release threshold.
//
// Ownership: pools are never deleted, since memory of them may be freed later. A pool owns the blocks
// that are free; an allocation is owned by the program until it is freed. A free block shares
// ownership of the stream of the work after which it is free.
// Threads: any thread. The mutex of a pool guards its blocks and figures.
// Memory ordering: the mutex. The atomic attributes are numbers that order nothing else. A block
// reaches another stream only behind `work`: Stream::reached() is an acquire load, or the stream
// waits for that work.
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
  /// `most` bytes may be reserved; 0: no bound.
  MemoryPool(int device, std::size_t most);
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// Memory that work put on `stream` from now on may use. Errors: simtErrorMemoryAllocation.
  simtError_t allocate(const std::shared_ptr<Stream>& stream, std::size_t size, void** pointer);
  /// Takes an allocation of this pool back, which the map no longer has. It is free after `work`.
  void free_after(const Allocation& allocation, Dependency work);
  /// Gives an allocation of this pool, which the map no longer has, to the machine at once.
  void free_now(const Allocation& allocation);

  /// Gives memory that is free to the machine while more than `keep` bytes are reserved.
  void trim(std::uint64_t keep);
  /// The handle is gone: memory goes to the machine as soon as it is free. Allocations stay valid.
  void retire();
  /// The device is reset: forgets everything, and gives what is free to the machine.
  void reset();
  /// Bytes behind an allocation, which may be more than were asked for.
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
  /// Of allocations in blocks that are larger than they need.
  std::unordered_map<const char*, std::size_t> capacities_;
  Usage usage_;
};

Handles<simtMemPool_t, MemoryPool>& pool_handles();
/// The pool that simtMallocAsync of a device takes from: the device's own until
/// simtDeviceSetMemPool.
simtMemPool_t current_pool(int device);

/// The pool of a handle; null where it is none.
std::shared_ptr<MemoryPool> find_pool(simtMemPool_t handle);

/// The program has waited for work of the device: pools go back to their release thresholds.
void trim_pools(int device);
/// Gives all memory to the machine that is free in pools of the device.
void release_free_memory(int device);
/// simtDeviceReset: what is allocated from pools of the device is forgotten.
void reset_pools(int device);

}  // namespace simtrt
