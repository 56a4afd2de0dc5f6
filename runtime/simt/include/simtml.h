// Management of devices (NVML): their number, names, addresses on the PCI bus, memory and clock rates. Sensors and counters
// (temperature, power, energy, utilisation, fans) and settings do not exist: their functions return SIMTML_ERROR_NOT_SUPPORTED, as
// for a GPU without the sensor or the setting.
// Source: NVML API Reference Manual of CUDA 12.4; values of enumerators are NVML's.
#pragma once

#include <simtrt/config.h>

#define SIMTML_DEVICE_NAME_BUFFER_SIZE 64
#define SIMTML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define SIMTML_DEVICE_UUID_BUFFER_SIZE 80
#define SIMTML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define SIMTML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define SIMTML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16
#define SIMTML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define SIMTML_SYSTEM_SIMTML_VERSION_BUFFER_SIZE 80

typedef enum {
  SIMTML_SUCCESS = 0,
  SIMTML_ERROR_UNINITIALIZED = 1,
  SIMTML_ERROR_INVALID_ARGUMENT = 2,
  SIMTML_ERROR_NOT_SUPPORTED = 3,
  SIMTML_ERROR_NO_PERMISSION = 4,
  SIMTML_ERROR_ALREADY_INITIALIZED = 5,
  SIMTML_ERROR_NOT_FOUND = 6,
  SIMTML_ERROR_INSUFFICIENT_SIZE = 7,
  SIMTML_ERROR_INSUFFICIENT_POWER = 8,
  SIMTML_ERROR_DRIVER_NOT_LOADED = 9,
  SIMTML_ERROR_TIMEOUT = 10,
  SIMTML_ERROR_UNKNOWN = 999,
} simtmlReturn_t;

typedef enum {
  SIMTML_CLOCK_GRAPHICS = 0,
  SIMTML_CLOCK_SM = 1,
  SIMTML_CLOCK_MEM = 2,
  SIMTML_CLOCK_VIDEO = 3,
} simtmlClockType_t;

typedef enum {
  SIMTML_TEMPERATURE_GPU = 0,
} simtmlTemperatureSensors_t;

typedef enum {
  SIMTML_FEATURE_DISABLED = 0,
  SIMTML_FEATURE_ENABLED = 1,
} simtmlEnableState_t;

/// Functions that an administrator can restrict.
typedef enum {
  SIMTML_RESTRICTED_API_SET_APPLICATION_CLOCKS = 0,
  SIMTML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS = 1,
} simtmlRestrictedAPI_t;

/// Levels of performance: 0 is the highest.
typedef enum {
  SIMTML_PSTATE_0 = 0,
  SIMTML_PSTATE_15 = 15,
  SIMTML_PSTATE_UNKNOWN = 32,
} simtmlPstates_t;

typedef struct simtmlDevice_st* simtmlDevice_t;

/// Bytes of a device's memory.
typedef struct {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
} simtmlMemory_t;

/// Percentages of the last sample period.
typedef struct {
  unsigned gpu;
  unsigned memory;
} simtmlUtilization_t;

typedef struct {
  char busIdLegacy[SIMTML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pciDeviceId;
  unsigned pciSubSystemId;
  char busId[SIMTML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} simtmlPciInfo_t;

#ifdef __cplusplus
extern "C" {
#endif

/// Every function but simtmlErrorString needs an earlier simtmlInit; calls of simtmlInit and simtmlShutdown are counted.
SIMTRT_EXPORT simtmlReturn_t simtmlInit(void);
SIMTRT_EXPORT simtmlReturn_t simtmlInitWithFlags(unsigned flags);
SIMTRT_EXPORT simtmlReturn_t simtmlShutdown(void);
SIMTRT_EXPORT const char* simtmlErrorString(simtmlReturn_t result);

SIMTRT_EXPORT simtmlReturn_t simtmlSystemGetSimtDriverVersion(int* version);
SIMTRT_EXPORT simtmlReturn_t simtmlSystemGetDriverVersion(char* version, unsigned length);
SIMTRT_EXPORT simtmlReturn_t simtmlSystemGetSIMTMLVersion(char* version, unsigned length);

SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetCount(unsigned* count);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetHandleByIndex(unsigned index, simtmlDevice_t* device);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetHandleByPciBusId(const char* bus_id, simtmlDevice_t* device);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetHandleByUUID(const char* uuid, simtmlDevice_t* device);

SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetIndex(simtmlDevice_t device, unsigned* index);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetName(simtmlDevice_t device, char* name, unsigned length);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetUUID(simtmlDevice_t device, char* uuid, unsigned length);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetPciInfo(simtmlDevice_t device, simtmlPciInfo_t* info);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetSimtComputeCapability(simtmlDevice_t device, int* major, int* minor);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetMemoryInfo(simtmlDevice_t device, simtmlMemory_t* memory);
/// Clock rates in MHz, which are constant.
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetClockInfo(simtmlDevice_t device, simtmlClockType_t type, unsigned* clock);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetMaxClockInfo(simtmlDevice_t device, simtmlClockType_t type, unsigned* clock);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetApplicationsClock(simtmlDevice_t device, simtmlClockType_t type, unsigned* clock);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetDefaultApplicationsClock(simtmlDevice_t device, simtmlClockType_t type, unsigned* clock);
/// The only clock rate of the memory, and the only one of the processors at this rate. `count` is the length of `clocks` before
/// the call. Errors: SIMTML_ERROR_INSUFFICIENT_SIZE, SIMTML_ERROR_NOT_FOUND for another rate of the memory.
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetSupportedMemoryClocks(simtmlDevice_t device, unsigned* count, unsigned* clocks);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetSupportedGraphicsClocks(simtmlDevice_t device, unsigned memory_clock, unsigned* count,
                                                                    unsigned* clocks);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceSetApplicationsClocks(simtmlDevice_t device, unsigned memory_clock, unsigned clock);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceResetApplicationsClocks(simtmlDevice_t device);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetAPIRestriction(simtmlDevice_t device, simtmlRestrictedAPI_t api, simtmlEnableState_t* restricted);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetMinorNumber(simtmlDevice_t device, unsigned* number);

SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetUtilizationRates(simtmlDevice_t device, simtmlUtilization_t* rates);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetTemperature(simtmlDevice_t device, simtmlTemperatureSensors_t sensor, unsigned* degrees);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetPowerUsage(simtmlDevice_t device, unsigned* milliwatts);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetTotalEnergyConsumption(simtmlDevice_t device, unsigned long long* millijoules);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetPowerManagementLimit(simtmlDevice_t device, unsigned* milliwatts);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetEnforcedPowerLimit(simtmlDevice_t device, unsigned* milliwatts);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetPersistenceMode(simtmlDevice_t device, simtmlEnableState_t* mode);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetPerformanceState(simtmlDevice_t device, simtmlPstates_t* state);
SIMTRT_EXPORT simtmlReturn_t simtmlDeviceGetFanSpeed(simtmlDevice_t device, unsigned* percent);

#ifdef __cplusplus
}
#endif
