// simtMemPool* and the pools of devices.
#include "api/call.h"

#include "device_limits.h"
#include "streams/graph.h"
#include "streams/memory_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <mutex>
#include <vector>

namespace simtrt {
namespace {

struct DevicePools {
  std::array<simtMemPool_t, kMaxDevices> own{};
  std::array<std::atomic<simtMemPool_t>, kMaxDevices> current{};

  DevicePools() {
    for (int device = 0; device < Device::count(); ++device) {
      auto pool = std::make_shared<MemoryPool>(device, 0);
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

Handles<simtMemPool_t, MemoryPool>& pool_handles() {
  static auto& handles = *new Handles<simtMemPool_t, MemoryPool>();
  return handles;
}

simtMemPool_t current_pool(int device) {
  return device_pools().current[static_cast<std::size_t>(device)];
}

std::shared_ptr<MemoryPool> find_pool(simtMemPool_t handle) {
  device_pools();
  return pool_handles().find(handle);
}

}  // namespace simtrt

using namespace simtrt;

namespace {

template <class WorkOfCall>
simtError_t with_pool(simtMemPool_t handle, WorkOfCall work) {
  return call_in_any_state([&] {
    const auto pool = find_pool(handle);
    if (pool == nullptr) return simtErrorInvalidValue;
    const simtError_t error = forbid_unsafe_call();
    return error != simtSuccess ? error : work(*pool);
  });
}

}  // namespace

simtError_t simtMemPoolCreate(simtMemPool_t* handle, const simtMemPoolProps* wanted) {
  return call_in_any_state([&] {
    if (handle == nullptr || wanted == nullptr ||
        wanted->allocType != simtMemAllocationTypePinned) {
      return simtErrorInvalidValue;
    }
    constexpr unsigned known_types = simtMemHandleTypePosixFileDescriptor | simtMemHandleTypeFabric;
    if ((static_cast<unsigned>(wanted->handleTypes) & ~known_types) != 0) return simtErrorInvalidValue;
    const bool reserved_are_zero = std::all_of(std::begin(wanted->reserved), std::end(wanted->reserved),
                                               [](unsigned char byte) { return byte == 0; });
    if (!reserved_are_zero) return simtErrorInvalidValue;
    if (wanted->handleTypes != simtMemHandleTypeNone) return simtErrorNotSupported;
    if (wanted->location.type != simtMemLocationTypeDevice ||
        Device::get(wanted->location.id) == nullptr) {
      return simtErrorInvalidValue;
    }
    if (const simtError_t error = forbid_unsafe_call()) return error;
    auto pool = std::make_shared<MemoryPool>(wanted->location.id, wanted->maxSize);
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
    pool.retire();
    // The pool object outlives simtMemPoolDestroy, because the program may still free memory of the
    // pool later.
    static auto& retired = *new std::vector<std::shared_ptr<MemoryPool>>();
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    retired.push_back(pool_handles().remove(handle));
    return simtSuccess;
  });
}

simtError_t simtMemPoolTrimTo(simtMemPool_t handle, std::size_t keep) {
  return with_pool(handle, [&](MemoryPool& pool) {
    pool.trim(keep);
    return simtSuccess;
  });
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
      // High-water marks can only be reset.
      case simtMemPoolAttrReservedMemHigh:
        if (*static_cast<std::uint64_t*>(value) != 0) return simtErrorInvalidValue;
        pool.reset_reserved_high();
        break;
      case simtMemPoolAttrUsedMemHigh:
        if (*static_cast<std::uint64_t*>(value) != 0) return simtErrorInvalidValue;
        pool.reset_used_high();
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
        *static_cast<std::uint64_t*>(value) = pool.usage().reserved;
        break;
      case simtMemPoolAttrReservedMemHigh:
        *static_cast<std::uint64_t*>(value) = pool.usage().reserved_high;
        break;
      case simtMemPoolAttrUsedMemCurrent:
        *static_cast<std::uint64_t*>(value) = pool.usage().used;
        break;
      case simtMemPoolAttrUsedMemHigh:
        *static_cast<std::uint64_t*>(value) = pool.usage().used_high;
        break;
      default: return simtErrorInvalidValue;
    }
    return simtSuccess;
  });
}

// All devices can access all memory.
simtError_t simtMemPoolSetAccess(simtMemPool_t handle, const simtMemAccessDesc* accesses,
                                 std::size_t count) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (accesses == nullptr && count != 0) return simtErrorInvalidValue;
    for (std::size_t index = 0; index < count; ++index) {
      const simtMemAccessDesc& wanted = accesses[index];
      if (wanted.flags != simtMemAccessFlagsProtNone && wanted.flags != simtMemAccessFlagsProtRead &&
          wanted.flags != simtMemAccessFlagsProtReadWrite) {
        return simtErrorInvalidValue;
      }
      if (wanted.location.type != simtMemLocationTypeDevice) return simtErrorNotSupported;
      if (Device::get(wanted.location.id) == nullptr) return simtErrorInvalidDevice;
      // A device's access to its own pools cannot be revoked; no device can have access for reading only.
      if (wanted.flags == simtMemAccessFlagsProtRead) return simtErrorNotSupported;
      if (wanted.location.id == pool.device && wanted.flags == simtMemAccessFlagsProtNone)
        return simtErrorInvalidDevice;
    }
    return simtSuccess;
  });
}

simtError_t simtMemPoolGetAccess(simtMemAccessFlags* flags, simtMemPool_t handle,
                                 simtMemLocation* location) {
  return with_pool(handle, [&](MemoryPool&) {
    if (flags == nullptr || location == nullptr ||
        location->type != simtMemLocationTypeDevice || Device::get(location->id) == nullptr) {
      return simtErrorInvalidValue;
    }
    *flags = simtMemAccessFlagsProtReadWrite;
    return simtSuccess;
  });
}

simtError_t simtDeviceGetDefaultMemPool(simtMemPool_t* pool, int device) {
  return call_in_any_state([&] {
    if (pool == nullptr) return simtErrorInvalidValue;
    if (Device::get(device) == nullptr) return simtErrorInvalidDevice;
    *pool = device_pools().own[static_cast<std::size_t>(device)];
    return simtSuccess;
  });
}

simtError_t simtDeviceGetMemPool(simtMemPool_t* pool, int device) {
  return call_in_any_state([&] {
    if (pool == nullptr) return simtErrorInvalidValue;
    if (Device::get(device) == nullptr) return simtErrorInvalidValue;
    *pool = current_pool(device);
    return simtSuccess;
  });
}

simtError_t simtDeviceSetMemPool(int device, simtMemPool_t handle) {
  return with_pool(handle, [&](MemoryPool& pool) {
    if (Device::get(device) == nullptr || pool.device != device) return simtErrorInvalidValue;
    device_pools().current[static_cast<std::size_t>(device)] = handle;
    return simtSuccess;
  });
}
