// cub::CachingDeviceAllocator: device memory that is freed in the order of a stream and used again.
// Interface: CUDA 12.4, cub/util_allocator.cuh.
//
// Ownership: the caller owns the memory until DeviceFree. Threads: every function may be called by
// any thread; a mutex protects the map. Memory ordering: that of the stream.
#pragma once

#include <cub/config.cuh>

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

CUB_NAMESPACE_BEGIN

/// The memory pools of the devices are the cache. The sizes of bins have no effect.
struct CachingDeviceAllocator {
  static constexpr unsigned int INVALID_BIN = static_cast<unsigned int>(-1);
  static constexpr std::size_t INVALID_SIZE = static_cast<std::size_t>(-1);
  static constexpr int INVALID_DEVICE_ORDINAL = -1;

  explicit CachingDeviceAllocator(unsigned int /*bin_growth*/, unsigned int /*min_bin*/ = 1,
                                  unsigned int /*max_bin*/ = INVALID_BIN,
                                  std::size_t /*max_cached_bytes*/ = INVALID_SIZE,
                                  bool skip_cleanup = false, bool /*debug*/ = false)
      : skip_cleanup_(skip_cleanup) {}
  explicit CachingDeviceAllocator(bool skip_cleanup = false, bool /*debug*/ = false)
      : skip_cleanup_(skip_cleanup) {}

  CachingDeviceAllocator(const CachingDeviceAllocator&) = delete;
  CachingDeviceAllocator& operator=(const CachingDeviceAllocator&) = delete;

  virtual ~CachingDeviceAllocator() {
    if (!skip_cleanup_) static_cast<void>(FreeAllCached());
  }

  simtError_t SetMaxCachedBytes(std::size_t /*max_cached_bytes*/) { return simtSuccess; }

  /// Allocates memory of a device. Work of `active_stream` may use the memory at once.
  simtError_t DeviceAllocate(int device, void** d_ptr, std::size_t bytes,
                             simtStream_t active_stream = nullptr) {
    *d_ptr = nullptr;
    return on_device(device, [&] {
      const simtError_t error = simtMallocAsync(d_ptr, bytes, active_stream);
      if (error == simtSuccess) {
        const std::lock_guard<std::mutex> lock(mutex_);
        live_[*d_ptr] = {device, active_stream};
      }
      return error;
    });
  }
  simtError_t DeviceAllocate(void** d_ptr, std::size_t bytes, simtStream_t active_stream = nullptr) {
    return DeviceAllocate(INVALID_DEVICE_ORDINAL, d_ptr, bytes, active_stream);
  }

  /// Frees memory after the work of the stream for which it was allocated.
  simtError_t DeviceFree(int device, void* d_ptr) {
    simtStream_t stream = nullptr;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = live_.find(d_ptr);
      if (found == live_.end()) return simtFree(d_ptr);
      device = found->second.first;
      stream = found->second.second;
      live_.erase(found);
    }
    return on_device(device, [&] { return simtFreeAsync(d_ptr, stream); });
  }
  simtError_t DeviceFree(void* d_ptr) { return DeviceFree(INVALID_DEVICE_ORDINAL, d_ptr); }

  /// Returns unused memory of the current device to the machine.
  simtError_t FreeAllCached() {
    int device = 0;
    simtMemPool_t pool = nullptr;
    simtError_t error = simtGetDevice(&device);
    if (error == simtSuccess) error = simtDeviceGetDefaultMemPool(&pool, device);
    return error == simtSuccess ? simtMemPoolTrimTo(pool, 0) : error;
  }

 private:
  /// Calls `work` with `device` as the current device; INVALID_DEVICE_ORDINAL is the current one,
  /// and is replaced by its number.
  template <class Work>
  static simtError_t on_device(int& device, Work work) {
    int current = 0;
    simtError_t error = simtGetDevice(&current);
    if (error != simtSuccess) return error;
    if (device == INVALID_DEVICE_ORDINAL) device = current;
    if (device != current && (error = simtSetDevice(device)) != simtSuccess) return error;
    error = work();
    if (device == current) return error;
    const simtError_t restored = simtSetDevice(current);
    return error != simtSuccess ? error : restored;
  }

  std::mutex mutex_;
  std::map<void*, std::pair<int, simtStream_t>> live_;
  bool skip_cleanup_;
};

CUB_NAMESPACE_END
