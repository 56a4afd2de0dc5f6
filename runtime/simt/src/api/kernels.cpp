// Launches, and functions that query or set properties of kernels.
#include "api/call.h"

#include "device_limits.h"
#include "kernel/fault_report.h"
#include "streams/child_grids.h"
#include "streams/graph.h"

#include <simtrt/enqueue.h>
#include <simtrt/kernel/launch.h>
#include <simtrt/kernel/launch_kernel.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <unordered_map>

namespace simtrt {
namespace {

// Attributes of a kernel that simtFuncSetAttribute sets.
struct KernelSettings {
  std::size_t shared_bytes = kMaxSharedByDefault;  ///< largest dynamic shared memory
  int carveout = simtSharedmemCarveoutDefault;     ///< no effect on this target
};

class SettingsByKernel {
 public:
  void set_shared_bytes(const void* kernel, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    by_kernel_[kernel].shared_bytes = bytes;
    unknown_.shared_bytes = std::max(unknown_.shared_bytes, bytes);
  }
  void set_carveout(const void* kernel, int value) {
    const std::lock_guard lock(mutex_);
    by_kernel_[kernel].carveout = value;
  }
  /// Settings of a kernel. A kernel with unknown address (null) has the largest size of shared memory of all kernels.
  KernelSettings of(const void* kernel) const {
    const std::lock_guard lock(mutex_);
    if (kernel == nullptr) return unknown_;
    const auto it = by_kernel_.find(kernel);
    return it == by_kernel_.end() ? KernelSettings{} : it->second;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, KernelSettings> by_kernel_;
  KernelSettings unknown_;
};
SettingsByKernel& kernel_settings() {
  static auto& settings = *new SettingsByKernel();
  return settings;
}

bool may_share(const void* kernel, std::size_t bytes) {
  return bytes <= kMaxSharedByDefault || bytes <= kernel_settings().of(kernel).shared_bytes;
}

struct KnownKernel {
  const char* name = nullptr;
  Launcher launcher = nullptr;
  const std::size_t* sizes = nullptr;
};
struct Launchers {
  std::mutex mutex;
  std::unordered_map<const void*, KnownKernel> by_address;
};
Launchers& launchers() {
  static auto& known = *new Launchers();
  return known;
}

bool is_too_large(const dim3& value, const int* limit) {
  return value.x > static_cast<unsigned>(limit[0]) || value.y > static_cast<unsigned>(limit[1]) ||
         value.z > static_cast<unsigned>(limit[2]);
}

int blocks_per_multiprocessor(const simtDeviceProp& properties, int block_size,
                              std::size_t shared_bytes) {
  if (block_size <= 0 || block_size > properties.maxThreadsPerBlock) return 0;
  // Round up to whole warps, like CUDA.
  const int rounded =
      (block_size + properties.warpSize - 1) / properties.warpSize * properties.warpSize;
  int blocks = std::min(properties.maxThreadsPerMultiProcessor / rounded,
                        properties.maxBlocksPerMultiProcessor);
  if (shared_bytes > properties.sharedMemPerBlockOptin) return 0;
  if (shared_bytes != 0) {
    blocks =
        std::min(blocks, static_cast<int>(properties.sharedMemPerMultiprocessor / shared_bytes));
  }
  return blocks;
}

simtError_t check(const LaunchConfig& config, const simtDeviceProp& properties) {
  if (config.blocks() == 0 || config.threads_per_block() == 0 ||
      is_too_large(config.block, properties.maxThreadsDim) ||
      config.threads_per_block() > static_cast<unsigned>(properties.maxThreadsPerBlock) ||
      is_too_large(config.grid, properties.maxGridSize)) {
    return simtErrorInvalidConfiguration;
  }
  return may_share(config.kernel, config.shared_bytes) ? simtSuccess : simtErrorInvalidValue;
}

}  // namespace

simtError_t launch(const KernelCall& kernel_call, const LaunchSite& site,
                   const LaunchConfig& config, simtStream_t handle, bool cooperative) {
  auto kernel = std::make_shared<Kernel>(kernel_call, site);
  return call<Callers::kHostAndKernels>([&] {
    const StreamGrid* parent = StreamGrid::current();
    const unsigned depth = parent == nullptr ? 0 : parent->depth + 1;
    if (depth > kDeepestGrid) return simtErrorLaunchMaxDepthExceeded;
    const auto stream = find_stream(handle);
    // CUDA C++ Programming Guide, "Stream and Event Behavior": a launch requires a stream of the current device.
    if (stream == nullptr || &stream->device != &Device::current())
      return simtErrorInvalidResourceHandle;
    const simtDeviceProp& properties = stream->device.properties();
    if (const simtError_t error = check(config, properties)) {
      break_capture(stream);
      // CUDA's device runtime has one error for all configurations.
      return parent != nullptr ? simtErrorInvalidConfiguration : error;
    }
    if (cooperative) {
      const int most = blocks_per_multiprocessor(
          properties, static_cast<int>(config.threads_per_block()), config.shared_bytes);
      if (config.blocks() > static_cast<std::uint64_t>(most) * properties.multiProcessorCount) {
        return simtErrorCooperativeLaunchTooLarge;
      }
    }
    return submit(stream, KernelWork{std::move(kernel), config, cooperative, depth},
                  simtGraphNodeTypeKernel);
  });
}

void register_launcher(const void* kernel, const char* name, Launcher launcher,
                       const std::size_t* sizes) {
  Launchers& known = launchers();
  const std::lock_guard lock(known.mutex);
  known.by_address.emplace(kernel, KnownKernel{name, launcher, sizes});
}

const std::size_t* argument_sizes(const void* kernel) {
  Launchers& known = launchers();
  const std::lock_guard lock(known.mutex);
  const auto it = known.by_address.find(kernel);
  return it == known.by_address.end() ? nullptr : it->second.sizes;
}

simtError_t enqueue(simtStream_t handle, const char* name, std::function<void()> work) {
  return with_stream(handle, [&](const auto& stream) {
    return submit(stream, TaskWork{name, std::move(work)}, simtGraphNodeTypeHost);
  });
}

namespace {

void report_unknown_kernel(const void* kernel) {
  const std::string name = describe_site(kernel);
  std::fprintf(stderr,
               "simt: simtLaunchKernel: nothing is known of the parameters of the function at %p%s\n"
               "  write SIMT_KERNEL(name<template arguments>); at the beginning of the kernel's body, or"
               " pass the kernel without a cast to a pointer to void\n",
               kernel, name.c_str());
}

simtError_t launch_known(const void* kernel, const LaunchConfig& config, void** arguments,
                         simtStream_t stream, bool cooperative) {
  KnownKernel found;
  {
    Launchers& known = launchers();
    const std::lock_guard lock(known.mutex);
    const auto it = known.by_address.find(kernel);
    if (it != known.by_address.end()) found = it->second;
  }
  if (found.launcher == nullptr) {
    if (kernel != nullptr) report_unknown_kernel(kernel);
    return remember(simtErrorInvalidDeviceFunction);
  }
  return found.launcher(kernel, found.name,
                        {config.grid, config.block, config.shared_bytes, kernel}, arguments, stream,
                        cooperative);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

simtError_t simtLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, simtStream_t stream) {
  return launch_known(kernel, {grid, block, shared_bytes}, arguments, stream, false);
}

simtError_t simtLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, simtStream_t stream) {
  return launch_known(kernel, {grid, block, shared_bytes}, arguments, stream, true);
}

// A kernel uses the host's registers and stack, which are not counted. The returned numbers are so
// small that they do not limit occupancy.
simtError_t simtFuncGetAttributes(simtFuncAttributes* attributes, const void* kernel) {
  return call<Callers::kHostAndKernels>([&] {
    if (attributes == nullptr) return simtErrorInvalidValue;
    if (kernel == nullptr) return simtErrorInvalidDeviceFunction;
    const simtDeviceProp& properties = Device::current().properties();
    *attributes = simtFuncAttributes{};
    attributes->maxThreadsPerBlock = properties.maxThreadsPerBlock;
    attributes->numRegs = properties.regsPerBlock / properties.maxThreadsPerMultiProcessor;
    attributes->ptxVersion = properties.major * 10 + properties.minor;
    attributes->binaryVersion = attributes->ptxVersion;
    const KernelSettings settings = kernel_settings().of(kernel);
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(settings.shared_bytes);
    attributes->preferredShmemCarveout = settings.carveout;
    return simtSuccess;
  });
}

simtError_t simtFuncSetAttribute(const void* kernel, simtFuncAttribute attribute, int value) {
  return call([&] {
    if (kernel == nullptr) return simtErrorInvalidDeviceFunction;
    const simtDeviceProp& properties = Device::current().properties();
    switch (attribute) {
      case simtFuncAttributeMaxDynamicSharedMemorySize: {
        if (value < 0 || static_cast<std::size_t>(value) > properties.sharedMemPerBlockOptin) {
          return simtErrorInvalidValue;
        }
        kernel_settings().set_shared_bytes(kernel, static_cast<std::size_t>(value));
        return simtSuccess;
      }
      case simtFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100) return simtErrorInvalidValue;
        kernel_settings().set_carveout(kernel, value);
        return simtSuccess;
      default: return simtErrorInvalidValue;
    }
  });
}

simtError_t simtFuncSetCacheConfig(const void* kernel, simtFuncCache config) {
  return call([&] {
    if (config < simtFuncCachePreferNone || config > simtFuncCachePreferEqual)
      return simtErrorInvalidValue;
    return kernel == nullptr ? simtErrorInvalidDeviceFunction : simtSuccess;
  });
}

simtError_t simtFuncSetSharedMemConfig(const void* kernel, simtSharedMemConfig) {
  return call([&] { return kernel == nullptr ? simtErrorInvalidDeviceFunction : simtSuccess; });
}

simtError_t simtOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* kernel,
                                                                   int block_size,
                                                                   std::size_t shared_bytes,
                                                                   unsigned flags) {
  return call<Callers::kHostAndKernels>([&] {
    if (blocks == nullptr || block_size <= 0 ||
        (flags & ~unsigned{simtOccupancyDisableCachingOverride}) != 0) {
      return simtErrorInvalidValue;
    }
    // No block of a kernel fits with more shared memory than the kernel may use.
    *blocks = may_share(kernel, shared_bytes)
                  ? blocks_per_multiprocessor(Device::current().properties(), block_size, shared_bytes)
                  : 0;
    return simtSuccess;
  });
}

simtError_t simtOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_size,
                                                          std::size_t shared_bytes) {
  return simtOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size,
                                                                shared_bytes, simtOccupancyDefault);
}

simtError_t simtOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes, const void*,
                                                      int blocks, int block_size) {
  return call([&] {
    const simtDeviceProp& properties = Device::current().properties();
    if (shared_bytes == nullptr || blocks <= 0 ||
        blocks > blocks_per_multiprocessor(properties, block_size, 0)) {
      return simtErrorInvalidValue;
    }
    *shared_bytes =
        std::min(properties.sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks),
                 properties.sharedMemPerBlockOptin);
    return simtSuccess;
  });
}
