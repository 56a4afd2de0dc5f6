// Libraries of the driver API: modules that belong to no context. simt_driver.h includes this header. Names and values are those of
// CUDA 12.4 (cuda.h).
#pragma once

#include <simt.h>
#include <simtrt/api/driver_modules.h>

typedef struct simtDrvLibrary_st* simtDrvLibrary;
/// Kernel of a library. A cast to simtDrvFunction gives the function.
typedef struct simtDrvKernel_st* simtDrvKernel;

typedef enum simtDrvLibraryOption {
  SIMT_DRV_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
  SIMT_DRV_LIBRARY_BINARY_IS_PRESERVED = 1,
  SIMT_DRV_LIBRARY_NUM_OPTIONS = 2,
} simtDrvLibraryOption;

extern "C" {

/// Images and files as those of simtDrvModuleLoadData and simtDrvModuleLoad. Options have no effect.
SIMTRT_EXPORT simtDrvResult simtDrvLibraryLoadData(simtDrvLibrary* library, const void* code,
                                                   simtDrvJit_option* jit_options, void** jit_values,
                                                   unsigned jit_count, simtDrvLibraryOption* options,
                                                   void** values, unsigned count);
SIMTRT_EXPORT simtDrvResult simtDrvLibraryLoadFromFile(simtDrvLibrary* library, const char* path,
                                                       simtDrvJit_option* jit_options, void** jit_values,
                                                       unsigned jit_count, simtDrvLibraryOption* options,
                                                       void** values, unsigned count);
SIMTRT_EXPORT simtDrvResult simtDrvLibraryUnload(simtDrvLibrary library);
SIMTRT_EXPORT simtDrvResult simtDrvLibraryGetKernel(simtDrvKernel* kernel, simtDrvLibrary library, const char* name);
SIMTRT_EXPORT simtDrvResult simtDrvLibraryGetModule(simtDrvModule* module, simtDrvLibrary library);
/// Address and size in bytes of a variable; each result may be null.
SIMTRT_EXPORT simtDrvResult simtDrvLibraryGetGlobal(simtDrvDeviceptr* pointer, std::size_t* bytes,
                                                    simtDrvLibrary library, const char* name);
SIMTRT_EXPORT simtDrvResult simtDrvKernelGetFunction(simtDrvFunction* function, simtDrvKernel kernel);

}  // extern "C"
