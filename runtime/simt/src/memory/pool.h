// Memory pools of simtMallocAsync. A pool counts what is in use; freed memory goes back to the
// machine at once.
#pragma once

#include "handles.h"

#include <simt_runtime_api.h>

#include <atomic>
#include <cstdint>

namespace simtrt {

class MemoryPool {
 public:
  explicit MemoryPool(int device) : device(device) {}

  void took(std::uint64_t bytes);
  void gave_back(std::uint64_t bytes) { used.fetch_sub(bytes); }

  const int device;
  std::atomic<std::uint64_t> used{0};
  std::atomic<std::uint64_t> used_high{0};
  std::atomic<std::uint64_t> release_threshold{0};
  std::atomic<int> reuse_follow_event{1};
  std::atomic<int> reuse_opportunistic{1};
  std::atomic<int> reuse_internal{1};
};

Handles<simtMemPool_t, MemoryPool>& pool_handles();
/// The pool that simtMallocAsync of a device takes from: the device's own until
/// simtDeviceSetMemPool.
simtMemPool_t current_pool(int device);

}  // namespace simtrt
