// Management of devices (NVML). The functions read properties and the use of memory; they start no worker.
#include "device_limits.h"
#include "memory/memory.h"
#include "streams/device.h"
#include "streams/visible_devices.h"

#include <simtml.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

using simtrt::Device;

namespace {

/// Calls of simtmlInit without a simtmlShutdown.
std::atomic<int> users{0};

/// A handle is the number of a device plus 1.
simtmlDevice_t handle_of(int ordinal) {
  return reinterpret_cast<simtmlDevice_t>(static_cast<std::intptr_t>(ordinal) + 1);
}

const Device* device_of(simtmlDevice_t handle) {
  const auto number = reinterpret_cast<std::intptr_t>(handle) - 1;
  const bool is_number = number >= 0 && number < static_cast<std::intptr_t>(simtrt::kMaxDevices);
  return is_number ? Device::get(static_cast<int>(number)) : nullptr;
}

template <class Work>
simtmlReturn_t call(Work work) {
  return users.load() == 0 ? SIMTML_ERROR_UNINITIALIZED : work();
}

template <class Work>
simtmlReturn_t with_device(simtmlDevice_t handle, const void* result, Work work) {
  return call([&] {
    const Device* device = device_of(handle);
    return device == nullptr || result == nullptr ? SIMTML_ERROR_INVALID_ARGUMENT : work(*device);
  });
}

/// Result of a function whose sensor or setting no device has.
simtmlReturn_t lacking(simtmlDevice_t handle, const void* result) {
  return with_device(handle, result, [](const Device&) { return SIMTML_ERROR_NOT_SUPPORTED; });
}

simtmlReturn_t store(const std::string& text, char* to, unsigned length) {
  if (to == nullptr) return SIMTML_ERROR_INVALID_ARGUMENT;
  if (length <= text.size()) return SIMTML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return SIMTML_SUCCESS;
}

std::string uuid_of(const Device& device) { return simtrt::text_of(device.properties().uuid); }

simtmlReturn_t clock_rate(simtmlDevice_t handle, simtmlClockType_t type, unsigned* clock) {
  return with_device(handle, clock, [&](const Device& device) {
    if (type > SIMTML_CLOCK_VIDEO) return SIMTML_ERROR_INVALID_ARGUMENT;
    if (type == SIMTML_CLOCK_VIDEO) return SIMTML_ERROR_NOT_SUPPORTED;
    const auto& found = device.properties();
    *clock = static_cast<unsigned>(type == SIMTML_CLOCK_MEM ? found.memoryClockRate : found.clockRate) / 1000;
    return SIMTML_SUCCESS;
  });
}

// Stores the rate of a clock, which has one rate, as a list.
simtmlReturn_t only_clock_rate(simtmlDevice_t handle, simtmlClockType_t type, unsigned* count, unsigned* clocks) {
  unsigned rate = 0;
  if (const simtmlReturn_t error = clock_rate(handle, type, &rate)) return error;
  if (count == nullptr) return SIMTML_ERROR_INVALID_ARGUMENT;
  const bool has_room = *count > 0 && clocks != nullptr;
  *count = 1;
  if (!has_room) return SIMTML_ERROR_INSUFFICIENT_SIZE;
  *clocks = rate;
  return SIMTML_SUCCESS;
}

}  // namespace

simtmlReturn_t simtmlInit() {
  ++users;
  return SIMTML_SUCCESS;
}

// The flags of NVML permit a start without devices, and leave out a check of their state.
simtmlReturn_t simtmlInitWithFlags(unsigned) { return simtmlInit(); }

simtmlReturn_t simtmlShutdown() {
  int before = users.load();
  while (before > 0 && !users.compare_exchange_weak(before, before - 1)) {
  }
  return before > 0 ? SIMTML_SUCCESS : SIMTML_ERROR_UNINITIALIZED;
}

const char* simtmlErrorString(simtmlReturn_t result) {
  switch (result) {
    case SIMTML_SUCCESS: return "Success";
    case SIMTML_ERROR_UNINITIALIZED: return "Uninitialized";
    case SIMTML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
    case SIMTML_ERROR_NOT_SUPPORTED: return "Not Supported";
    case SIMTML_ERROR_NO_PERMISSION: return "Insufficient Permissions";
    case SIMTML_ERROR_ALREADY_INITIALIZED: return "Already Initialized";
    case SIMTML_ERROR_NOT_FOUND: return "Not Found";
    case SIMTML_ERROR_INSUFFICIENT_SIZE: return "Insufficient Size";
    case SIMTML_ERROR_INSUFFICIENT_POWER: return "Insufficient External Power";
    case SIMTML_ERROR_DRIVER_NOT_LOADED: return "Driver Not Loaded";
    case SIMTML_ERROR_TIMEOUT: return "Timeout";
    case SIMTML_ERROR_UNKNOWN: break;
  }
  return "Unknown Error";
}

simtmlReturn_t simtmlSystemGetSimtDriverVersion(int* version) {
  return call([&] {
    if (version == nullptr) return SIMTML_ERROR_INVALID_ARGUMENT;
    *version = SIMT_COMPAT_VERSION;
    return SIMTML_SUCCESS;
  });
}

// The driver and NVML have no versions of their own: the number is that of CUDA, for example 12.4.
simtmlReturn_t simtmlSystemGetDriverVersion(char* version, unsigned length) {
  return call([&] {
    const int number = SIMT_COMPAT_VERSION;
    return store(std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10), version, length);
  });
}

simtmlReturn_t simtmlSystemGetSIMTMLVersion(char* version, unsigned length) {
  return simtmlSystemGetDriverVersion(version, length);
}

simtmlReturn_t simtmlDeviceGetCount(unsigned* count) {
  return call([&] {
    if (count == nullptr) return SIMTML_ERROR_INVALID_ARGUMENT;
    *count = static_cast<unsigned>(Device::count());
    return SIMTML_SUCCESS;
  });
}

simtmlReturn_t simtmlDeviceGetHandleByIndex(unsigned index, simtmlDevice_t* device) {
  return call([&] {
    const bool exists = index < static_cast<unsigned>(Device::count());
    if (device == nullptr || !exists) return SIMTML_ERROR_INVALID_ARGUMENT;
    *device = handle_of(static_cast<int>(index));
    return SIMTML_SUCCESS;
  });
}

simtmlReturn_t simtmlDeviceGetHandleByPciBusId(const char* bus_id, simtmlDevice_t* device) {
  return call([&] {
    if (bus_id == nullptr || device == nullptr) return SIMTML_ERROR_INVALID_ARGUMENT;
    unsigned domain = 0, bus = 0, slot = 0;
    if (std::sscanf(bus_id, "%x:%x:%x", &domain, &bus, &slot) != 3) {
      domain = 0;
      if (std::sscanf(bus_id, "%x:%x", &bus, &slot) != 2) return SIMTML_ERROR_INVALID_ARGUMENT;
    }
    if (domain != 0 || bus != 0 || slot >= simtrt::kMaxDevices) return SIMTML_ERROR_NOT_FOUND;
    const Device* found = Device::with_number(static_cast<int>(slot));
    if (found == nullptr) return SIMTML_ERROR_NOT_FOUND;
    *device = handle_of(found->ordinal);
    return SIMTML_SUCCESS;
  });
}

simtmlReturn_t simtmlDeviceGetHandleByUUID(const char* uuid, simtmlDevice_t* device) {
  return call([&] {
    if (uuid == nullptr || device == nullptr) return SIMTML_ERROR_INVALID_ARGUMENT;
    for (int ordinal = 0; ordinal < Device::count(); ++ordinal) {
      if (uuid_of(*Device::get(ordinal)) != uuid) continue;
      *device = handle_of(ordinal);
      return SIMTML_SUCCESS;
    }
    return SIMTML_ERROR_NOT_FOUND;
  });
}

simtmlReturn_t simtmlDeviceGetIndex(simtmlDevice_t device, unsigned* index) {
  return with_device(device, index, [&](const Device& found) {
    *index = static_cast<unsigned>(found.ordinal);
    return SIMTML_SUCCESS;
  });
}

simtmlReturn_t simtmlDeviceGetName(simtmlDevice_t device, char* name, unsigned length) {
  return with_device(device, name, [&](const Device& found) { return store(found.properties().name, name, length); });
}

simtmlReturn_t simtmlDeviceGetUUID(simtmlDevice_t device, char* uuid, unsigned length) {
  return with_device(device, uuid, [&](const Device& found) { return store(uuid_of(found), uuid, length); });
}

simtmlReturn_t simtmlDeviceGetPciInfo(simtmlDevice_t device, simtmlPciInfo_t* info) {
  return with_device(device, info, [&](const Device& found) {
    const auto& properties = found.properties();
    *info = {};
    info->domain = static_cast<unsigned>(properties.pciDomainID);
    info->bus = static_cast<unsigned>(properties.pciBusID);
    info->device = static_cast<unsigned>(properties.pciDeviceID);
    std::snprintf(info->busIdLegacy, sizeof info->busIdLegacy, "%04x:%02x:%02x.0", info->domain & 0xffff,
                  info->bus & 0xff, info->device & 0xff);
    std::snprintf(info->busId, sizeof info->busId, "%08x:%02x:%02x.0", info->domain, info->bus & 0xff,
                  info->device & 0xff);
    return SIMTML_SUCCESS;
  });
}

simtmlReturn_t simtmlDeviceGetSimtComputeCapability(simtmlDevice_t device, int* major, int* minor) {
  return with_device(device, major != nullptr ? minor : nullptr, [&](const Device& found) {
    *major = found.properties().major;
    *minor = found.properties().minor;
    return SIMTML_SUCCESS;
  });
}

simtmlReturn_t simtmlDeviceGetMemoryInfo(simtmlDevice_t device, simtmlMemory_t* memory) {
  return with_device(device, memory, [&](const Device& found) {
    memory->total = simtrt::device_memory_bytes();
    memory->used = simtrt::used_device_memory(found.ordinal);
    memory->free = memory->total - memory->used;
    return SIMTML_SUCCESS;
  });
}

simtmlReturn_t simtmlDeviceGetClockInfo(simtmlDevice_t device, simtmlClockType_t type, unsigned* clock) {
  return clock_rate(device, type, clock);
}

simtmlReturn_t simtmlDeviceGetMaxClockInfo(simtmlDevice_t device, simtmlClockType_t type, unsigned* clock) {
  return clock_rate(device, type, clock);
}

simtmlReturn_t simtmlDeviceGetApplicationsClock(simtmlDevice_t device, simtmlClockType_t type, unsigned* clock) {
  return clock_rate(device, type, clock);
}

simtmlReturn_t simtmlDeviceGetDefaultApplicationsClock(simtmlDevice_t device, simtmlClockType_t type, unsigned* clock) {
  return clock_rate(device, type, clock);
}

simtmlReturn_t simtmlDeviceGetSupportedMemoryClocks(simtmlDevice_t device, unsigned* count, unsigned* clocks) {
  return only_clock_rate(device, SIMTML_CLOCK_MEM, count, clocks);
}

simtmlReturn_t simtmlDeviceGetSupportedGraphicsClocks(simtmlDevice_t device, unsigned memory_clock, unsigned* count,
                                                      unsigned* clocks) {
  unsigned of_memory = 0;
  if (const simtmlReturn_t error = clock_rate(device, SIMTML_CLOCK_MEM, &of_memory)) return error;
  if (memory_clock != of_memory) return SIMTML_ERROR_NOT_FOUND;
  return only_clock_rate(device, SIMTML_CLOCK_GRAPHICS, count, clocks);
}

simtmlReturn_t simtmlDeviceSetApplicationsClocks(simtmlDevice_t device, unsigned, unsigned) {
  return lacking(device, &users);
}

simtmlReturn_t simtmlDeviceResetApplicationsClocks(simtmlDevice_t device) { return lacking(device, &users); }

simtmlReturn_t simtmlDeviceGetAPIRestriction(simtmlDevice_t device, simtmlRestrictedAPI_t, simtmlEnableState_t* restricted) {
  return lacking(device, restricted);
}

// The number in the name of the device's file; it is that of the device, as there is no file.
simtmlReturn_t simtmlDeviceGetMinorNumber(simtmlDevice_t device, unsigned* number) {
  return simtmlDeviceGetIndex(device, number);
}

simtmlReturn_t simtmlDeviceGetPowerManagementLimit(simtmlDevice_t device, unsigned* milliwatts) {
  return lacking(device, milliwatts);
}

simtmlReturn_t simtmlDeviceGetEnforcedPowerLimit(simtmlDevice_t device, unsigned* milliwatts) {
  return lacking(device, milliwatts);
}

simtmlReturn_t simtmlDeviceGetPersistenceMode(simtmlDevice_t device, simtmlEnableState_t* mode) {
  return lacking(device, mode);
}

simtmlReturn_t simtmlDeviceGetPerformanceState(simtmlDevice_t device, simtmlPstates_t* state) {
  return lacking(device, state);
}

simtmlReturn_t simtmlDeviceGetUtilizationRates(simtmlDevice_t device, simtmlUtilization_t* rates) {
  return lacking(device, rates);
}

simtmlReturn_t simtmlDeviceGetTemperature(simtmlDevice_t device, simtmlTemperatureSensors_t sensor, unsigned* degrees) {
  return sensor == SIMTML_TEMPERATURE_GPU ? lacking(device, degrees) : lacking(device, nullptr);
}

simtmlReturn_t simtmlDeviceGetPowerUsage(simtmlDevice_t device, unsigned* milliwatts) {
  return lacking(device, milliwatts);
}

simtmlReturn_t simtmlDeviceGetTotalEnergyConsumption(simtmlDevice_t device, unsigned long long* millijoules) {
  return lacking(device, millijoules);
}

simtmlReturn_t simtmlDeviceGetFanSpeed(simtmlDevice_t device, unsigned* percent) { return lacking(device, percent); }
