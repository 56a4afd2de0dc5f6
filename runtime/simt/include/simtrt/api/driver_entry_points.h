// Addresses of functions of the driver API by their names: functions of CUDA 12.4's cuda.h. simt_driver.h includes this
// file. entry_points.h states the meaning of names, versions and flags.
#pragma once

#include <simt.h>

typedef enum {
  SIMT_DRV_GET_PROC_ADDRESS_SUCCESS = 0,
  SIMT_DRV_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  SIMT_DRV_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2,
} simtDrvDriverProcAddressQueryResult;

typedef enum {
  SIMT_DRV_GET_PROC_ADDRESS_DEFAULT = 0,
  SIMT_DRV_GET_PROC_ADDRESS_LEGACY_STREAM = 1,
  SIMT_DRV_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2,
} simtDrvDriverProcAddress_flags;

extern "C" {

/// The form of CUDA 11 has no `result`.
SIMTRT_EXPORT simtDrvResult simtDrvGetProcAddress(
    const char* name, void** function, int version, unsigned long long flags,
    simtDrvDriverProcAddressQueryResult* result = nullptr);

}  // extern "C"
