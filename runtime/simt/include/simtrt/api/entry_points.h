// Addresses of functions of the driver API by their names in CUDA, without a suffix of a version
// ("cuMemAlloc"): functions of CUDA 12.4's cuda_runtime_api.h. simt_runtime_api.h includes this file.
//
// The version that a program asks for has no effect, because each function has one version. A name that the
// target lacks gives a null pointer and simtDriverEntryPointSymbolNotFound. Functions with a default
// stream for each thread are simtErrorNotSupported.
#pragma once

#include <simtrt/api/error_codes.h>
#include <simtrt/config.h>

enum simtDriverEntryPointQueryResult {
  simtDriverEntryPointSuccess = 0,
  simtDriverEntryPointSymbolNotFound = 1,
  simtDriverEntryPointVersionNotSufficent = 2,
};

/// Values for the flags of simtGetDriverEntryPoint.
enum simtGetDriverEntryPointFlags {
  simtEnableDefault = 0,
  simtEnableLegacyStream = 1,
  simtEnablePerThreadDefaultStream = 2,
};

extern "C" {

SIMTRT_EXPORT simtError_t simtGetDriverEntryPoint(const char* name, void** function,
                                                  unsigned long long flags,
                                                  simtDriverEntryPointQueryResult* result = nullptr);
/// Function of CUDA 12.5.
SIMTRT_EXPORT simtError_t simtGetDriverEntryPointByVersion(
    const char* name, void** function, unsigned version, unsigned long long flags,
    simtDriverEntryPointQueryResult* result = nullptr);

}  // extern "C"
