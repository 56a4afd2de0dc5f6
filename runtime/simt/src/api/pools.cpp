// simtMallocAsync, simtFreeAsync and simtMemPool*.
#include "api/call.h"

#include "streams/graph.h"
#include "memory/memory.h"
#include "bounds.h"
#include "memory/pool.h"

#include <algorithm>
#include <array>
#include <vector>

namespace simtrt {
namespace {

struct DevicePools {
  std::array<simtMemPool_t, kMaxDevices> own{};
  std::array<std::atomic<simtMemPool_t>, kMaxDevices> current{};

  DevicePools() {
    for (int device = 0; device < Device::count(); ++device) {
      auto pool = std::make_shared<MemoryPool>(device);
      const auto index = static_cast<std::size_t>(device);
      own[index] = reinterpret_cast<simtMemPool_t>(pool.get());
      current[index] = own[index];
      pool_handles().add(own[index], std::move(pool));
    }
  }
};

DevicePools& device_pools() {
  static DevicePools& pools = *new DevicePools();
  return pools;
}

}  // namespace

void MemoryPool::took(std::uint64_t bytes) {
  const std::uint64_t now = used.fetch_add(bytes) + bytes;
  std::uint64_t high = used_high.load();
  while (high < now && !used_high.compare_exchange_weak(high, now)) {
  }
}

Handles<simtMemPool_t, MemoryPool>& pool_handles() {
  static auto& handles = *new Handles<simtMemPool_t, MemoryPool>();
  return handles;
}

simtMemPool_t current_pool(int device) {
  return device_pools().current[static_cast<std::size_t>(device)];
}

}  // namespace simtrt

using namespace simtrt;

namespace {

template <class WorkOfCall>
simtError_t with_pool(simtMemPool_t handle, WorkOfCall work) {
  return call([&] {
    device_pools();
    const auto pool = pool_handles().find(handle);
    return pool == nullptr ? simtErrorInvalidValue : work(*pool);
  });
}

}  // namespace

simtError_t simtMallocFromPoolAsync(void** pointer, std::size_t size, simtMemPool_t handle,
                                    simtStream_t stream) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (pointer == nullptr) return simtErrorInvalidValue;
    const auto found = find_stream(stream);
    if (found == nullptr) return simtErrorInvalidResourceHandle;
    const simtError_t error =
        allocate_device(pool.device, size, MemoryKind::kDevice, 0, &pool, pointer);
    if (error != simtSuccess || size == 0) return error;
    pool.took(size);
    const auto graph = graph_of_capture(found);
    if (graph == nullptr) return simtSuccess;
    graph->memory.push_back(std::make_shared<GraphMemory>(*pointer));
    return submit(found, TaskWork{"simtMallocAsync", [] {}}, simtGraphNodeTypeMemAlloc);
  });
}

simtError_t simtMallocAsync(void** pointer, std::size_t size, simtStream_t stream) {
  if (Device::count() == 0) return remember(simtErrorNoDevice);
  return simtMallocFromPoolAsync(pointer, size, current_pool(Device::current_ordinal()), stream);
}

simtError_t simtFreeAsync(void* pointer, simtStream_t handle) {
  return call([&] {
    if (pointer == nullptr) return simtSuccess;
    const auto stream = find_stream(handle);
    if (stream == nullptr) return simtErrorInvalidResourceHandle;
    if (const auto graph = graph_of_capture(stream)) {
      const auto is_it = [=](const auto& memory) { return memory->begin == pointer; };
      if (std::none_of(graph->memory.begin(), graph->memory.end(), is_it))
        return simtErrorInvalidValue;
      return submit(stream, TaskWork{"simtFreeAsync", [] {}}, simtGraphNodeTypeMemFree);
    }
    const auto allocation = MemoryMap::instance().mark_freeing(pointer);
    if (!allocation) return simtErrorInvalidValue;
    return submit(stream,
                  TaskWork{"simtFreeAsync",
                           [allocation = *allocation] {
                             MemoryMap::instance().forget(allocation.begin);
                             if (allocation.pool != nullptr)
                               allocation.pool->gave_back(allocation.size);
                             release(allocation);
                           }},
                  simtGraphNodeTypeMemFree);
  });
}

simtError_t simtMemPoolCreate(simtMemPool_t* handle, const simtMemPoolProps* wanted) {
  return call([&] {
    if (handle == nullptr || wanted == nullptr ||
        wanted->allocType != simtMemAllocationTypePinned) {
      return simtErrorInvalidValue;
    }
    if (wanted->handleTypes != simtMemHandleTypeNone) return simtErrorNotSupported;
    if (wanted->location.type != simtMemLocationTypeDevice ||
        Device::get(wanted->location.id) == nullptr) {
      return simtErrorInvalidValue;
    }
    auto pool = std::make_shared<MemoryPool>(wanted->location.id);
    *handle = reinterpret_cast<simtMemPool_t>(pool.get());
    pool_handles().add(*handle, std::move(pool));
    return simtSuccess;
  });
}

simtError_t simtMemPoolDestroy(simtMemPool_t handle) {
  return with_pool(handle, [&](MemoryPool& pool) {
    const auto index = static_cast<std::size_t>(pool.device);
    if (device_pools().own[index] == handle) return simtErrorInvalidValue;
    simtMemPool_t current = handle;
    device_pools().current[index].compare_exchange_strong(current, device_pools().own[index]);
    // Memory of it may still be freed later, so the pool itself stays.
    static auto& retired = *new std::vector<std::shared_ptr<MemoryPool>>();
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    retired.push_back(pool_handles().remove(handle));
    return simtSuccess;
  });
}

simtError_t simtMemPoolTrimTo(simtMemPool_t handle, std::size_t) {
  return with_pool(handle, [](MemoryPool&) { return simtSuccess; });
}

simtError_t simtMemPoolSetAttribute(simtMemPool_t handle, simtMemPoolAttr attribute, void* value) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (value == nullptr) return simtErrorInvalidValue;
    switch (attribute) {
      case simtMemPoolReuseFollowEventDependencies:
        pool.reuse_follow_event = *static_cast<int*>(value);
        break;
      case simtMemPoolReuseAllowOpportunistic:
        pool.reuse_opportunistic = *static_cast<int*>(value);
        break;
      case simtMemPoolReuseAllowInternalDependencies:
        pool.reuse_internal = *static_cast<int*>(value);
        break;
      case simtMemPoolAttrReleaseThreshold:
        pool.release_threshold = *static_cast<std::uint64_t*>(value);
        break;
      // High-water marks can only be begun anew.
      case simtMemPoolAttrReservedMemHigh:
      case simtMemPoolAttrUsedMemHigh:
        if (*static_cast<std::uint64_t*>(value) != 0) return simtErrorInvalidValue;
        pool.used_high = pool.used.load();
        break;
      default: return simtErrorInvalidValue;
    }
    return simtSuccess;
  });
}

simtError_t simtMemPoolGetAttribute(simtMemPool_t handle, simtMemPoolAttr attribute, void* value) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (value == nullptr) return simtErrorInvalidValue;
    switch (attribute) {
      case simtMemPoolReuseFollowEventDependencies:
        *static_cast<int*>(value) = pool.reuse_follow_event;
        break;
      case simtMemPoolReuseAllowOpportunistic:
        *static_cast<int*>(value) = pool.reuse_opportunistic;
        break;
      case simtMemPoolReuseAllowInternalDependencies:
        *static_cast<int*>(value) = pool.reuse_internal;
        break;
      case simtMemPoolAttrReleaseThreshold:
        *static_cast<std::uint64_t*>(value) = pool.release_threshold;
        break;
      case simtMemPoolAttrReservedMemCurrent:
      case simtMemPoolAttrUsedMemCurrent: *static_cast<std::uint64_t*>(value) = pool.used; break;
      case simtMemPoolAttrReservedMemHigh:
      case simtMemPoolAttrUsedMemHigh: *static_cast<std::uint64_t*>(value) = pool.used_high; break;
      default: return simtErrorInvalidValue;
    }
    return simtSuccess;
  });
}

// All devices see all memory.
simtError_t simtMemPoolSetAccess(simtMemPool_t handle, const simtMemAccessDesc* accesses,
                                 std::size_t count) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (accesses == nullptr || count == 0) return simtErrorInvalidValue;
    for (std::size_t index = 0; index < count; ++index) {
      const simtMemAccessDesc& wanted = accesses[index];
      if (wanted.location.type != simtMemLocationTypeDevice) return simtErrorInvalidValue;
      if (Device::get(wanted.location.id) == nullptr) return simtErrorInvalidDevice;
      // A device can always get at its own pools.
      if (wanted.location.id == pool.device && wanted.flags != simtMemAccessFlagsProtReadWrite)
        return simtErrorInvalidValue;
    }
    return simtSuccess;
  });
}

simtError_t simtMemPoolGetAccess(simtMemAccessFlags* flags, simtMemPool_t handle,
                                 simtMemLocation* location) {
  return with_pool(handle, [&](MemoryPool&) {
    if (flags == nullptr || location == nullptr) return simtErrorInvalidValue;
    *flags = simtMemAccessFlagsProtReadWrite;
    return simtSuccess;
  });
}

simtError_t simtDeviceGetDefaultMemPool(simtMemPool_t* pool, int device) {
  return call([&] {
    if (pool == nullptr) return simtErrorInvalidValue;
    if (Device::get(device) == nullptr) return simtErrorInvalidDevice;
    *pool = device_pools().own[static_cast<std::size_t>(device)];
    return simtSuccess;
  });
}

simtError_t simtDeviceGetMemPool(simtMemPool_t* pool, int device) {
  return call([&] {
    if (pool == nullptr) return simtErrorInvalidValue;
    if (Device::get(device) == nullptr) return simtErrorInvalidDevice;
    *pool = current_pool(device);
    return simtSuccess;
  });
}

simtError_t simtDeviceSetMemPool(int device, simtMemPool_t handle) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (Device::get(device) == nullptr) return simtErrorInvalidDevice;
    if (pool.device != device) return simtErrorInvalidValue;
    device_pools().current[static_cast<std::size_t>(device)] = handle;
    return simtSuccess;
  });
}
