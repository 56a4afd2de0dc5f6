#include "Backend.h"
#include "release/Allocator.h"
#include "release/Hooks.h"

#include <ATen/cuda/CachingHostAllocator.h>

namespace at::cuda::backend {

namespace allocator = c10::cuda::CUDACachingAllocator;

MemoryStats memory_stats(DeviceIndex index) {
  return release::memoryStats(allocator::getDeviceStats(index));
}

void reset_accumulated_memory_stats(DeviceIndex index) { allocator::resetAccumulatedStats(index); }

void reset_peak_memory_stats(DeviceIndex index) { allocator::resetPeakStats(index); }

void empty_cache() { release::emptyCache(active_pool_id()); }

void host_empty_cache() { at::cuda::CachingHostAllocator_emptyCache(); }

void set_memory_fraction(double fraction, DeviceIndex index) {
  allocator::setMemoryFraction(fraction, index);
}

double get_memory_fraction(DeviceIndex index) { return release::getMemoryFraction(index); }

uintptr_t caching_allocator_alloc(size_t size, uintptr_t stream) {
  return reinterpret_cast<uintptr_t>(
      allocator::raw_alloc_with_stream(size, reinterpret_cast<cudaStream_t>(stream)));
}

void caching_allocator_delete(uintptr_t pointer) {
  allocator::raw_delete(reinterpret_cast<void*>(pointer));
}

void caching_allocator_enable(bool enabled) { release::enable(enabled); }

bool is_memory_history_enabled() { return allocator::isHistoryEnabled(); }

void set_allocator_settings(const std::string& settings) {
  allocator::setAllocatorSettings(settings);
}

std::string allocator_backend() { return allocator::name(); }

void attach_out_of_memory_observer(OutOfMemoryObserver observer) {
  init();
  allocator::attachOutOfMemoryObserver(std::move(observer));
}

bool is_pinned_ptr(uintptr_t pointer) {
  return deviceHooks().isPinnedPtr(reinterpret_cast<const void*>(pointer));
}

}  // namespace at::cuda::backend
