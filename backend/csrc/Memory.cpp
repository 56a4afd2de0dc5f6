#include "Backend.h"

#include <ATen/Context.h>
#include <ATen/cuda/CachingHostAllocator.h>
#include <c10/cuda/CUDAAllocatorConfig.h>
#include <c10/cuda/CUDACachingAllocator.h>

namespace at::cuda::backend {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

Segment segmentOf(const allocator::SegmentInfo& info) {
  Segment result;
  result.device = info.device;
  result.address = info.address;
  result.total_size = info.total_size;
  result.allocated_size = info.allocated_size;
  result.active_size = info.active_size;
  result.requested_size = info.requested_size;
  result.stream = reinterpret_cast<uintptr_t>(info.stream);
  result.is_large = info.is_large;
  result.is_expandable = info.is_expandable;
  result.pool = info.owner_private_pool_id;
  size_t address = info.address;
  for (const auto& block : info.blocks) {
    result.blocks.push_back(
        {address, block.size, block.requested_size, block.allocated, block.active});
    address += block.size;
  }
  return result;
}

}  // namespace

CachingDeviceAllocator::DeviceStats memory_stats(DeviceIndex index) {
  return allocator::getDeviceStats(index);
}

void reset_accumulated_memory_stats(DeviceIndex index) { allocator::resetAccumulatedStats(index); }

void reset_peak_memory_stats(DeviceIndex index) { allocator::resetPeakStats(index); }

void empty_cache() { allocator::emptyCache(); }

void host_empty_cache() { at::cuda::CachingHostAllocator_emptyCache(); }

void set_memory_fraction(double fraction, DeviceIndex index) {
  allocator::setMemoryFraction(fraction, index);
}

double get_memory_fraction(DeviceIndex index) { return allocator::getMemoryFraction(index); }

MemorySnapshot memory_snapshot() {
  const auto known = allocator::snapshot();
  MemorySnapshot result;
  for (const auto& segment : known.segments) {
    result.segments.push_back(segmentOf(segment));
  }
  const auto& settings = known.config_metadata;
  result.settings.last_allocator_settings = settings.last_allocator_settings;
  result.settings.max_split_size = settings.max_split_size;
  result.settings.garbage_collection_threshold = settings.garbage_collection_threshold;
  result.settings.expandable_segments = settings.expandable_segments;
  result.settings.pinned_num_register_threads = settings.pinned_num_register_threads;
  result.settings.release_lock_on_malloc = settings.release_lock_on_malloc;
  result.settings.pinned_use_host_register = settings.pinned_use_host_register;
  result.settings.roundup_power2_divisions = settings.roundup_power2_divisions;
  return result;
}

uintptr_t caching_allocator_alloc(size_t size, uintptr_t stream) {
  return reinterpret_cast<uintptr_t>(
      allocator::raw_alloc_with_stream(size, reinterpret_cast<cudaStream_t>(stream)));
}

void caching_allocator_delete(uintptr_t pointer) {
  allocator::raw_delete(reinterpret_cast<void*>(pointer));
}

void caching_allocator_enable(bool enabled) { allocator::enable(enabled); }

void set_allocator_settings(const std::string& settings) {
  allocator::setAllocatorSettings(settings);
}

std::string allocator_backend() { return allocator::name(); }

void attach_out_of_memory_observer(OutOfMemoryObserver observer) {
  init();
  allocator::attachOutOfMemoryObserver(std::move(observer));
}

bool is_pinned_ptr(uintptr_t pointer) {
  return globalContext().getAcceleratorHooksInterface(kCUDA).isPinnedPtr(
      reinterpret_cast<const void*>(pointer));
}

}  // namespace at::cuda::backend
