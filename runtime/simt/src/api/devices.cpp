// simtDevice*, simtGetDevice*, simtSetDevice* and similar functions.
#include "api/call.h"

#include "kernel/fiber.h"
#include "device_limits.h"
#include "streams/graph.h"
#include "memory/imported.h"
#include "memory/memory.h"
#include "streams/memory_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>

using namespace simtrt;

namespace {

std::array<std::array<std::atomic<bool>, kMaxDevices>, kMaxDevices> peer_access{};
std::atomic<simtFuncCache> cache_config{simtFuncCachePreferNone};
std::atomic<simtSharedMemConfig> shared_config{simtSharedMemBankSizeFourByte};
// Limits without effect on this target: the runtime stores a value that a program sets, and returns
// it.
std::atomic<std::size_t> printf_fifo{1 << 20};
std::atomic<std::size_t> malloc_heap{8 << 20};
std::atomic<std::size_t> pending_launches{2048};

// Device flags that simtGetDeviceFlags returns; CUDA accepts the others of simtDeviceMask and drops them.
constexpr unsigned kStoredDeviceFlags = simtDeviceMask & ~(0x20u | 0x40u);

// At most one of the flags that say how a host thread waits.
bool are_device_flags(unsigned flags) {
  const unsigned schedule = flags & simtDeviceScheduleMask;
  return (flags & ~unsigned{simtDeviceMask}) == 0 && (schedule & (schedule - 1)) == 0;
}

bool is_limit(simtLimit limit) {
  return limit >= simtLimitStackSize && limit <= simtLimitPersistingL2CacheSize;
}

std::size_t rounded_up(std::size_t value, std::size_t least, std::size_t step) {
  return (std::max(value, least) + step - 1) / step * step;
}

bool is_device(int ordinal) { return Device::get(ordinal) != nullptr; }

}  // namespace

simtError_t simtGetDeviceCount(int* count) {
  if (const simtError_t error = enter_process()) return remember(error);
  return call_in_any_state<Callers::kAll>([&] {
    if (count == nullptr) return simtErrorInvalidValue;
    *count = Device::count();
    return simtSuccess;
  });
}

simtError_t simtGetDevice(int* device) {
  return call_in_any_state<Callers::kHostAndKernels>([&] {
    if (device == nullptr) return simtErrorInvalidValue;
    *device = Device::current_ordinal();
    return simtSuccess;
  });
}

simtError_t simtSetDevice(int device) {
  return call_in_any_state([&] { return Device::set_current(device); });
}

simtError_t simtInitDevice(int device, unsigned device_flags, unsigned flags) {
  return call_in_any_state([&] {
    if (!is_device(device)) return simtErrorInvalidDevice;
    constexpr unsigned kDeviceFlagsAreValid = 1;  // cudaInitDeviceFlagsAreValid
    if ((flags & kDeviceFlagsAreValid) != 0 && !are_device_flags(device_flags))
      return simtErrorInvalidValue;
    return simtSuccess;
  });
}

simtError_t simtSetValidDevices(int* devices, int len) {
  return call_in_any_state([&] {
    if (len < 0 || (devices == nullptr && len > 0)) return simtErrorInvalidValue;
    return std::all_of(devices, devices + len, is_device) ? simtSuccess : simtErrorInvalidValue;
  });
}

simtError_t simtSetDeviceFlags(unsigned flags) {
  return call_in_any_state([&] {
    if (!are_device_flags(flags)) return simtErrorInvalidValue;
    Device::current().flags = (flags & kStoredDeviceFlags) | simtDeviceMapHost;
    return simtSuccess;
  });
}

simtError_t simtGetDeviceFlags(unsigned* flags) {
  return call_in_any_state([&] {
    if (flags == nullptr) return simtErrorInvalidValue;
    *flags = Device::current().flags;
    return simtSuccess;
  });
}

simtError_t simtGetDeviceProperties(simtDeviceProp* properties, int device) {
  return call_in_any_state<Callers::kHostAndFunctions>([&] {
    if (properties == nullptr) return simtErrorInvalidValue;
    if (!is_device(device)) return simtErrorInvalidDevice;
    *properties = Device::get(device)->properties();
    return simtSuccess;
  });
}

simtError_t simtDeviceGetAttribute(int* value, simtDeviceAttr attribute, int device) {
  return call_in_any_state<Callers::kHostAndKernels>([&] {
    if (value == nullptr) return simtErrorInvalidValue;
    if (!is_device(device)) return simtErrorInvalidDevice;
    return Device::get(device)->attribute(attribute, value);
  });
}

simtError_t simtChooseDevice(int* device, const simtDeviceProp* wanted) {
  return call_in_any_state<Callers::kHostAndFunctions>([&] {
    if (device == nullptr || wanted == nullptr) return simtErrorInvalidValue;
    *device = 0;  // all devices are equal
    return simtSuccess;
  });
}

simtError_t simtDeviceSynchronize() {
  return call([] {
    Device& device = Device::current();
    if (const simtError_t error = forbid_in_capture(device)) return error;
    device.synchronize();
    trim_pools(device.ordinal);
    return outcome(device);
  });
}

simtError_t simtDeviceReset() {
  return call_in_any_state([] {
    Device& device = Device::current();
    for (const auto& stream : device.streams()) leave_capture(stream);
    device.synchronize();
    GraphMemory::forget_all(device.ordinal);
    for (auto& [begin, allocation] : MemoryMap::instance().take_all(device.ordinal)) {
      if (allocation.pool != nullptr) allocation.size = allocation.pool->capacity(allocation);
      release(allocation);
    }
    close_all_imported(device.ordinal);
    reset_pools(device.ordinal);
    device.reset();
    return simtSuccess;
  });
}

simtError_t simtDeviceSetLimit(simtLimit limit, std::size_t value) {
  return call([&] {
    if (const simtError_t error = forbid_unsafe_call()) return error;
    switch (limit) {
      case simtLimitStackSize:
        set_fiber_stack_bytes(std::max<std::size_t>(value, 16 * 1024));
        return simtSuccess;
      // A GPU's driver rounds these sizes as well.
      case simtLimitPrintfFifoSize: printf_fifo = rounded_up(value, 512 << 10, 256); return simtSuccess;
      case simtLimitMallocHeapSize: malloc_heap = rounded_up(value, 4 << 20, 64 << 10); return simtSuccess;
      case simtLimitDevRuntimePendingLaunchCount: pending_launches = value; return simtSuccess;
      default: return is_limit(limit) ? simtErrorUnsupportedLimit : simtErrorInvalidValue;
    }
  });
}

simtError_t simtDeviceGetLimit(std::size_t* value, simtLimit limit) {
  return call<Callers::kHostAndKernels>([&] {
    if (value == nullptr) return simtErrorInvalidValue;
    switch (limit) {
      case simtLimitStackSize: *value = fiber_stack_bytes(); return simtSuccess;
      case simtLimitPrintfFifoSize: *value = printf_fifo; return simtSuccess;
      case simtLimitMallocHeapSize: *value = malloc_heap; return simtSuccess;
      case simtLimitDevRuntimePendingLaunchCount: *value = pending_launches; return simtSuccess;
      default: return is_limit(limit) ? simtErrorUnsupportedLimit : simtErrorInvalidValue;
    }
  });
}

simtError_t simtDeviceGetCacheConfig(simtFuncCache* config) {
  return call<Callers::kHostAndKernels>([&] {
    if (config == nullptr) return simtErrorInvalidValue;
    *config = cache_config;
    return simtSuccess;
  });
}

simtError_t simtDeviceSetCacheConfig(simtFuncCache config) {
  return call([&] {
    if (config < simtFuncCachePreferNone || config > simtFuncCachePreferEqual)
      return simtErrorInvalidValue;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    cache_config = config;
    return simtSuccess;
  });
}

simtError_t simtDeviceGetSharedMemConfig(simtSharedMemConfig* config) {
  return call([&] {
    if (config == nullptr) return simtErrorInvalidValue;
    *config = shared_config;
    return simtSuccess;
  });
}

simtError_t simtDeviceSetSharedMemConfig(simtSharedMemConfig config) {
  return call([&] {
    shared_config = config;
    return simtSuccess;
  });
}

simtError_t simtDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] {
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = kGreatestPriority;
    return simtSuccess;
  });
}

simtError_t simtDeviceGetPCIBusId(char* bus_id, int len, int device) {
  return call_in_any_state([&] {
    if (bus_id == nullptr || len < 13) return simtErrorInvalidValue;
    if (!is_device(device)) return simtErrorInvalidDevice;
    std::snprintf(bus_id, static_cast<std::size_t>(len), "0000:00:%02x.0",
                  static_cast<unsigned>(device));
    return simtSuccess;
  });
}

simtError_t simtDeviceGetByPCIBusId(int* device, const char* bus_id) {
  return call([&] {
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned slot = 0;
    if (device == nullptr || bus_id == nullptr) return simtErrorInvalidValue;
    const bool with_domain = std::sscanf(bus_id, "%x:%x:%x", &domain, &bus, &slot) == 3;
    if (!with_domain && std::sscanf(bus_id, "%x:%x", &bus, &slot) != 2)
      return simtErrorInvalidValue;
    if (domain != 0 || bus != 0 || !is_device(static_cast<int>(slot)))
      return simtErrorInvalidDevice;
    *device = static_cast<int>(slot);
    return simtSuccess;
  });
}

// Every device can access every other device's memory, because all memory is host memory. The calls
// only follow CUDA's protocol.
simtError_t simtDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_in_any_state([&] {
    if (can == nullptr) return simtErrorInvalidValue;
    if (!is_device(device) || !is_device(peer)) return simtErrorInvalidDevice;
    *can = device != peer;
    return simtSuccess;
  });
}

simtError_t simtDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call([&] {
    if (flags != 0) return simtErrorInvalidValue;
    if (!is_device(peer)) return simtErrorInvalidDevice;
    if (peer == Device::current_ordinal()) return simtErrorPeerAccessUnsupported;
    auto& enabled = peer_access[static_cast<std::size_t>(Device::current_ordinal())]
                               [static_cast<std::size_t>(peer)];
    return enabled.exchange(true) ? simtErrorPeerAccessAlreadyEnabled : simtSuccess;
  });
}

simtError_t simtDeviceDisablePeerAccess(int peer) {
  return call([&] {
    if (!is_device(peer)) return simtErrorInvalidDevice;
    auto& enabled = peer_access[static_cast<std::size_t>(Device::current_ordinal())]
                               [static_cast<std::size_t>(peer)];
    return enabled.exchange(false) ? simtSuccess : simtErrorPeerAccessNotEnabled;
  });
}

simtError_t simtDeviceGetP2PAttribute(int* value, simtDeviceP2PAttr attribute, int from_device,
                                      int to_device) {
  return call([&] {
    if (value == nullptr) return simtErrorInvalidValue;
    if (!is_device(from_device) || !is_device(to_device) || from_device == to_device)
      return simtErrorInvalidDevice;
    switch (attribute) {
      case simtDevP2PAttrPerformanceRank: *value = 0; return simtSuccess;
      case simtDevP2PAttrAccessSupported:
      case simtDevP2PAttrNativeAtomicSupported: *value = 1; return simtSuccess;
      case simtDevP2PAttrSimtArrayAccessSupported: *value = 0; return simtSuccess;
    }
    return simtErrorInvalidValue;
  });
}

simtError_t simtDriverGetVersion(int* version) { return simtRuntimeGetVersion(version); }

simtError_t simtRuntimeGetVersion(int* version) {
  if (const simtError_t error = check_caller(Callers::kAll)) return remember(error);
  if (version == nullptr) return remember(simtErrorInvalidValue);
  *version = SIMT_COMPAT_VERSION;
  return simtSuccess;
}
