#pragma once

#include "../Backend.h"
#include "Version.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/util/irange.h>

#include <functional>

#if __has_include(<c10/cuda/CUDAAllocatorConfig.h>)
#include <c10/cuda/CUDAAllocatorConfig.h>
#endif
#if __has_include(<ATen/cuda/MemPool.h>)
#include <ATen/cuda/MemPool.h>
#endif

// Interface to the caching allocator, the same for all releases.
namespace at::cuda::backend::release {

namespace allocator = c10::cuda::CUDACachingAllocator;

#define BACKEND_NEEDS_TORCH(what, release)                                         \
  TORCH_CHECK_NOT_IMPLEMENTED(false, what, " needs PyTorch " release " or newer, " \
                              "this is ", TORCH_VERSION)

// -- statistics

template <class Stat>
MemoryStat memoryStat(const Stat& stat) {
  return {stat.current, stat.peak, stat.allocated, stat.freed};
}

template <class StatArray>
MemoryStatArray memoryStats(const StatArray& stats) {
  MemoryStatArray result;
  for (const auto pool : c10::irange(result.size())) {
    result[pool] = memoryStat(stats[pool]);
  }
  return result;
}

inline MemoryStats memoryStats(const allocator::DeviceStats& stats) {
  MemoryStats result;
  result.allocation = memoryStats(stats.allocation);
  result.segment = memoryStats(stats.segment);
  result.active = memoryStats(stats.active);
  result.inactive_split = memoryStats(stats.inactive_split);
  result.allocated_bytes = memoryStats(stats.allocated_bytes);
  result.reserved_bytes = memoryStats(stats.reserved_bytes);
  result.active_bytes = memoryStats(stats.active_bytes);
  result.inactive_split_bytes = memoryStats(stats.inactive_split_bytes);
  result.requested_bytes = memoryStats(stats.requested_bytes);
  result.oversize_allocations = memoryStat(stats.oversize_allocations);
  result.oversize_segments = memoryStat(stats.oversize_segments);
  result.num_alloc_retries = stats.num_alloc_retries;
  result.num_ooms = stats.num_ooms;
#if BACKEND_TORCH_AT_LEAST(2, 3)
  result.num_sync_all_streams = stats.num_sync_all_streams;
  result.num_device_alloc = stats.num_device_alloc;
  result.num_device_free = stats.num_device_free;
#endif
  result.max_split_size = stats.max_split_size;
  return result;
}

// -- settings

inline double getMemoryFraction([[maybe_unused]] DeviceIndex index) {
#if BACKEND_TORCH_AT_LEAST(2, 6)
  return allocator::getMemoryFraction(index);
#else
  BACKEND_NEEDS_TORCH("get_memory_fraction", "2.6");
#endif
}

inline void enable([[maybe_unused]] bool enabled) {
#if BACKEND_TORCH_AT_LEAST(2, 6)
  allocator::enable(enabled);
#else
  BACKEND_NEEDS_TORCH("caching_allocator_enable", "2.6");
#endif
}

#if BACKEND_TORCH_AT_LEAST(2, 3)
inline AllocatorSettings settingsOf(const allocator::SnapshotInfo& snapshot) {
  const auto& known = snapshot.config_metadata;
  AllocatorSettings result;
  result.last_allocator_settings = known.last_allocator_settings;
  result.max_split_size = known.max_split_size;
  result.garbage_collection_threshold = known.garbage_collection_threshold;
  result.expandable_segments = known.expandable_segments;
  result.pinned_num_register_threads = known.pinned_num_register_threads;
  result.release_lock_on_malloc = known.release_lock_on_malloc;
  result.pinned_use_host_register = known.pinned_use_host_register;
  result.roundup_power2_divisions = known.roundup_power2_divisions;
  return result;
}
#else
inline AllocatorSettings settingsOf(const allocator::SnapshotInfo& /*snapshot*/) { return {}; }
#endif

// -- history

// Microseconds since the Unix epoch.
inline int64_t timeOf([[maybe_unused]] const allocator::TraceEntry& entry) {
#if BACKEND_TORCH_AT_LEAST(2, 2)
  return entry.time_.t_;
#else
  return 0;  // not recorded
#endif
}

inline std::vector<Annotation> annotationsOf(
    [[maybe_unused]] const allocator::SnapshotInfo& snapshot) {
  std::vector<Annotation> result;
#if BACKEND_TORCH_AT_LEAST(2, 5)
  for (const auto& annotation : snapshot.external_annotations) {
    result.push_back({annotation.device_, annotation.time_.t_, annotation.metadata_});
  }
#endif
  return result;
}

inline void recordAnnotation([[maybe_unused]] const char* name,
                             [[maybe_unused]] const char* stage) {
#if BACKEND_TORCH_AT_LEAST(2, 5)
  allocator::recordAnnotation({{"name", name}, {"stage", stage}});
#endif
}

inline void recordHistory(bool enabled, allocator::CreateContextFn recorder, size_t max_entries,
                          allocator::RecordContext when) {
#if BACKEND_TORCH_AT_LEAST(2, 11)
  allocator::recordHistory(enabled, recorder, max_entries, when, /*clearHistory=*/false,
                           /*skip_actions=*/{});
#elif BACKEND_TORCH_AT_LEAST(2, 8)
  allocator::recordHistory(enabled, recorder, max_entries, when, /*clearHistory=*/false);
#else
  allocator::recordHistory(enabled, recorder, max_entries, when);
#endif
}

// -- pools

#if __has_include(<ATen/cuda/MemPool.h>)
using Pool = at::cuda::MemPool;
#elif BACKEND_TORCH_AT_LEAST(2, 5)
using Pool = c10::cuda::MemPool;
#else
struct Pool {
  Pool() { BACKEND_NEEDS_TORCH("a memory pool of a program's own", "2.5"); }
  MempoolId id() { return {0, 0}; }
};
#endif

inline int useCount([[maybe_unused]] Pool& pool) {
#if BACKEND_TORCH_AT_LEAST(2, 6)
  return pool.use_count();
#else
  BACKEND_NEEDS_TORCH("use_count of a memory pool", "2.6");
#endif
}

// Selects the pool for snapshots and `empty_cache`. In 2.5 to 2.7 the allocator stores the active
// pool; from 2.8 on, each call has a parameter for the pool.
#if BACKEND_TORCH_AT_LEAST(2, 5) && !BACKEND_TORCH_AT_LEAST(2, 8)
using ActivePool = c10::cuda::MemPoolContext;
#else
struct ActivePool {
  explicit ActivePool(Pool* /*pool*/) {}
};
#endif

inline allocator::SnapshotInfo snapshot([[maybe_unused]] MempoolId pool) {
#if BACKEND_TORCH_AT_LEAST(2, 8)
  return allocator::snapshot(pool);
#else
  return allocator::snapshot();
#endif
}

inline void emptyCache([[maybe_unused]] MempoolId pool) {
#if BACKEND_TORCH_AT_LEAST(2, 8)
  allocator::emptyCache(pool);
#else
  allocator::emptyCache();
#endif
}

// Allocations on the streams for which `takes` is true come from the pool.
inline void beginAllocateToPool(DeviceIndex index, MempoolId pool,
                                std::function<bool(cudaStream_t)> takes) {
#if BACKEND_TORCH_AT_LEAST(2, 3)
  allocator::beginAllocateToPool(index, pool, std::move(takes));
#else
  BACKEND_NEEDS_TORCH("allocating to a pool", "2.3");
#endif
}

inline void endAllocateToPool(DeviceIndex index, MempoolId pool) {
#if BACKEND_TORCH_AT_LEAST(2, 3)
  allocator::endAllocateToPool(index, pool);
#else
  BACKEND_NEEDS_TORCH("allocating to a pool", "2.3");
#endif
}

}  // namespace at::cuda::backend::release
