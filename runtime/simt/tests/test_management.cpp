// Management of devices (NVML). NVML API Reference Manual, "Initialization and Cleanup", "Device Queries".
#include "kernel_test.h"

#include <simtml.h>

#include <cstdlib>
#include <cstring>

namespace {

// The runtime reads SIMT_DEVICE_COUNT at the first call of the API; these tests need two devices.
[[maybe_unused]] const int two_devices = setenv("SIMT_DEVICE_COUNT", "2", /*overwrite=*/0);

/// simtmlInit during the object's lifetime.
class Management {
 public:
  Management() { REQUIRE_EQ(simtmlInit(), SIMTML_SUCCESS); }
  Management(const Management&) = delete;
  Management& operator=(const Management&) = delete;
  ~Management() { simtmlShutdown(); }
};

simtmlDevice_t device_at(unsigned index) {
  simtmlDevice_t device = nullptr;
  REQUIRE_EQ(simtmlDeviceGetHandleByIndex(index, &device), SIMTML_SUCCESS);
  return device;
}

TEST_CASE("management needs simtmlInit, whose calls are counted") {
  unsigned count = 0;
  CHECK_EQ(simtmlDeviceGetCount(&count), SIMTML_ERROR_UNINITIALIZED);
  CHECK_EQ(simtmlShutdown(), SIMTML_ERROR_UNINITIALIZED);
  CHECK_EQ(simtmlInit(), SIMTML_SUCCESS);
  CHECK_EQ(simtmlInitWithFlags(0), SIMTML_SUCCESS);
  CHECK_EQ(simtmlShutdown(), SIMTML_SUCCESS);
  CHECK_EQ(simtmlDeviceGetCount(&count), SIMTML_SUCCESS);
  CHECK_EQ(simtmlShutdown(), SIMTML_SUCCESS);
  CHECK_EQ(simtmlDeviceGetCount(&count), SIMTML_ERROR_UNINITIALIZED);
}

TEST_CASE("management and runtime have the same devices") {
  const Management management;
  unsigned count = 0;
  int of_runtime = 0;
  REQUIRE_EQ(simtmlDeviceGetCount(&count), SIMTML_SUCCESS);
  REQUIRE_OK(simtGetDeviceCount(&of_runtime));
  REQUIRE_EQ(count, static_cast<unsigned>(of_runtime));
  for (unsigned i = 0; i < count; ++i) {
    simtDeviceProp properties;
    char bus_id[16], name[SIMTML_DEVICE_NAME_BUFFER_SIZE];
    int major = 0, minor = 0;
    unsigned clock = 0, index = 0;
    REQUIRE_OK(simtGetDeviceProperties(&properties, static_cast<int>(i)));
    REQUIRE_OK(simtDeviceGetPCIBusId(bus_id, sizeof bus_id, static_cast<int>(i)));
    simtmlDevice_t device = nullptr;
    REQUIRE_EQ(simtmlDeviceGetHandleByPciBusId(bus_id, &device), SIMTML_SUCCESS);
    CHECK_EQ(device, device_at(i));
    REQUIRE_EQ(simtmlDeviceGetIndex(device, &index), SIMTML_SUCCESS);
    CHECK_EQ(index, i);
    REQUIRE_EQ(simtmlDeviceGetMinorNumber(device, &index), SIMTML_SUCCESS);
    CHECK_EQ(index, i);
    REQUIRE_EQ(simtmlDeviceGetName(device, name, sizeof name), SIMTML_SUCCESS);
    CHECK_EQ(std::string(name), properties.name);
    REQUIRE_EQ(simtmlDeviceGetSimtComputeCapability(device, &major, &minor), SIMTML_SUCCESS);
    CHECK_EQ(major * 10 + minor, properties.major * 10 + properties.minor);
    REQUIRE_EQ(simtmlDeviceGetClockInfo(device, SIMTML_CLOCK_MEM, &clock), SIMTML_SUCCESS);
    CHECK_EQ(clock, static_cast<unsigned>(properties.memoryClockRate) / 1000);
    REQUIRE_EQ(simtmlDeviceGetMaxClockInfo(device, SIMTML_CLOCK_SM, &clock), SIMTML_SUCCESS);
    CHECK_EQ(clock, static_cast<unsigned>(properties.clockRate) / 1000);
  }
}

TEST_CASE("management finds a device by its UUID, and reports its place on the bus") {
  const Management management;
  char first[SIMTML_DEVICE_UUID_BUFFER_SIZE], second[SIMTML_DEVICE_UUID_BUFFER_SIZE];
  REQUIRE_EQ(simtmlDeviceGetUUID(device_at(0), first, sizeof first), SIMTML_SUCCESS);
  REQUIRE_EQ(simtmlDeviceGetUUID(device_at(1), second, sizeof second), SIMTML_SUCCESS);
  CHECK_EQ(std::strlen(first), std::strlen("GPU-00000000-0000-0000-0000-000000000000"));
  CHECK_NE(std::string(first), second);
  simtmlDevice_t device = nullptr;
  REQUIRE_EQ(simtmlDeviceGetHandleByUUID(second, &device), SIMTML_SUCCESS);
  CHECK_EQ(device, device_at(1));
  simtmlPciInfo_t info;
  REQUIRE_EQ(simtmlDeviceGetPciInfo(device, &info), SIMTML_SUCCESS);
  CHECK_EQ(std::string(info.busIdLegacy), "0000:00:01.0");
  CHECK_EQ(std::string(info.busId), "00000000:00:01.0");
  REQUIRE_EQ(simtmlDeviceGetHandleByPciBusId(info.busId, &device), SIMTML_SUCCESS);
  CHECK_EQ(device, device_at(1));
}

TEST_CASE("management counts the memory of a device") {
  const Management management;
  simtmlMemory_t before, during;
  REQUIRE_EQ(simtmlDeviceGetMemoryInfo(device_at(0), &before), SIMTML_SUCCESS);
  const DeviceArray<char> memory(4 << 20);
  REQUIRE_EQ(simtmlDeviceGetMemoryInfo(device_at(0), &during), SIMTML_SUCCESS);
  CHECK_EQ(during.used, before.used + memory.bytes());
  CHECK_EQ(during.total, during.used + during.free);
}

TEST_CASE("management has versions, and texts of errors") {
  const Management management;
  int number = 0;
  char text[SIMTML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE];
  REQUIRE_EQ(simtmlSystemGetSimtDriverVersion(&number), SIMTML_SUCCESS);
  CHECK_EQ(number, SIMT_COMPAT_VERSION);
  REQUIRE_EQ(simtmlSystemGetDriverVersion(text, sizeof text), SIMTML_SUCCESS);
  CHECK_EQ(std::string(text), "12.4");
  REQUIRE_EQ(simtmlSystemGetSIMTMLVersion(text, sizeof text), SIMTML_SUCCESS);
  CHECK_EQ(std::string(simtmlErrorString(SIMTML_ERROR_NOT_FOUND)), "Not Found");
  CHECK_EQ(std::string(simtmlErrorString(static_cast<simtmlReturn_t>(500))), "Unknown Error");
}

TEST_CASE("management has one rate for each clock, which is not settable") {
  const Management management;
  const simtmlDevice_t device = device_at(0);
  unsigned memory = 0, processors = 0, found = 0, count = 0;
  REQUIRE_EQ(simtmlDeviceGetClockInfo(device, SIMTML_CLOCK_MEM, &memory), SIMTML_SUCCESS);
  REQUIRE_EQ(simtmlDeviceGetClockInfo(device, SIMTML_CLOCK_SM, &processors), SIMTML_SUCCESS);
  CHECK_EQ(simtmlDeviceGetApplicationsClock(device, SIMTML_CLOCK_MEM, &found), SIMTML_SUCCESS);
  CHECK_EQ(found, memory);
  CHECK_EQ(simtmlDeviceGetDefaultApplicationsClock(device, SIMTML_CLOCK_SM, &found), SIMTML_SUCCESS);
  CHECK_EQ(found, processors);
  CHECK_EQ(simtmlDeviceGetSupportedMemoryClocks(device, &count, nullptr), SIMTML_ERROR_INSUFFICIENT_SIZE);
  CHECK_EQ(count, 1u);
  CHECK_EQ(simtmlDeviceGetSupportedMemoryClocks(device, &count, &found), SIMTML_SUCCESS);
  CHECK_EQ(found, memory);
  CHECK_EQ(simtmlDeviceGetSupportedGraphicsClocks(device, memory, &count, &found), SIMTML_SUCCESS);
  CHECK_EQ(found, processors);
  CHECK_EQ(simtmlDeviceGetSupportedGraphicsClocks(device, memory + 1, &count, &found), SIMTML_ERROR_NOT_FOUND);
  CHECK_EQ(simtmlDeviceGetSupportedMemoryClocks(device, nullptr, &found), SIMTML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(simtmlDeviceSetApplicationsClocks(device, memory, processors), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceResetApplicationsClocks(device), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceResetApplicationsClocks(nullptr), SIMTML_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("management has no sensors") {
  const Management management;
  const simtmlDevice_t device = device_at(0);
  unsigned value = 7;
  unsigned long long energy = 7;
  simtmlUtilization_t rates;
  CHECK_EQ(simtmlDeviceGetTemperature(device, SIMTML_TEMPERATURE_GPU, &value), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceGetPowerUsage(device, &value), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceGetFanSpeed(device, &value), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceGetTotalEnergyConsumption(device, &energy), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceGetUtilizationRates(device, &rates), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceGetClockInfo(device, SIMTML_CLOCK_VIDEO, &value), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceGetPowerManagementLimit(device, &value), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceGetEnforcedPowerLimit(device, &value), SIMTML_ERROR_NOT_SUPPORTED);
  simtmlEnableState_t state;
  simtmlPstates_t performance;
  CHECK_EQ(simtmlDeviceGetPersistenceMode(device, &state), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(simtmlDeviceGetPerformanceState(device, &performance), SIMTML_ERROR_NOT_SUPPORTED);
  const auto api = SIMTML_RESTRICTED_API_SET_APPLICATION_CLOCKS;
  CHECK_EQ(simtmlDeviceGetAPIRestriction(device, api, &state), SIMTML_ERROR_NOT_SUPPORTED);
  CHECK_EQ(value, 7u);
}

TEST_CASE("management refuses wrong arguments") {
  const Management management;
  const simtmlDevice_t device = device_at(0);
  simtmlDevice_t found = nullptr;
  char text[8];
  unsigned value = 0;
  CHECK_EQ(simtmlDeviceGetHandleByIndex(1000, &found), SIMTML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(simtmlDeviceGetHandleByIndex(0, nullptr), SIMTML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(simtmlDeviceGetHandleByPciBusId("no bus", &found), SIMTML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(simtmlDeviceGetHandleByPciBusId("0000:05:00.0", &found), SIMTML_ERROR_NOT_FOUND);
  CHECK_EQ(simtmlDeviceGetHandleByUUID("GPU-0", &found), SIMTML_ERROR_NOT_FOUND);
  CHECK_EQ(simtmlDeviceGetName(device, text, sizeof text), SIMTML_ERROR_INSUFFICIENT_SIZE);
  CHECK_EQ(simtmlDeviceGetIndex(nullptr, &value), SIMTML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(simtmlDeviceGetIndex(device, nullptr), SIMTML_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(simtmlDeviceGetClockInfo(device, static_cast<simtmlClockType_t>(9), &value), SIMTML_ERROR_INVALID_ARGUMENT);
}

}  // namespace
