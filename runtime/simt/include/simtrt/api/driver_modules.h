// Functions of the driver API about modules in files, and about kernels of modules. simt_driver.h
// includes this header.
//
// A module is a shared library for this runtime: a file that `simtcc -ptx`, `-cubin` or `-fatbin` writes, the
// bytes of such a file in memory, or an image of simtrtc.
#pragma once

#include <simt.h>

/// Values of the argument `extra` of simtDrvLaunchKernel, which passes all arguments of a kernel in one buffer.
#define SIMT_DRV_LAUNCH_PARAM_END (static_cast<void*>(nullptr))
#define SIMT_DRV_LAUNCH_PARAM_BUFFER_POINTER (reinterpret_cast<void*>(1))
#define SIMT_DRV_LAUNCH_PARAM_BUFFER_SIZE (reinterpret_cast<void*>(2))

typedef enum simtDrvFunc_cache {
  SIMT_DRV_FUNC_CACHE_PREFER_NONE = 0,
  SIMT_DRV_FUNC_CACHE_PREFER_SHARED = 1,
  SIMT_DRV_FUNC_CACHE_PREFER_L1 = 2,
  SIMT_DRV_FUNC_CACHE_PREFER_EQUAL = 3,
} simtDrvFunc_cache;

typedef enum simtDrvFunction_attribute {
  SIMT_DRV_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  SIMT_DRV_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  SIMT_DRV_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  SIMT_DRV_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  SIMT_DRV_FUNC_ATTRIBUTE_NUM_REGS = 4,
  SIMT_DRV_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  SIMT_DRV_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  SIMT_DRV_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
  SIMT_DRV_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  SIMT_DRV_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
} simtDrvFunction_attribute;

extern "C" {

/// Errors: SIMT_DRV_ERROR_FILE_NOT_FOUND, and those of simtDrvModuleLoadData.
SIMTRT_EXPORT simtDrvResult simtDrvModuleLoad(simtDrvModule* module, const char* path);
/// The same as simtDrvModuleLoadData.
SIMTRT_EXPORT simtDrvResult simtDrvModuleLoadFatBinary(simtDrvModule* module, const void* image);

SIMTRT_EXPORT simtDrvResult simtDrvFuncGetAttribute(int* value, simtDrvFunction_attribute attribute,
                                                    simtDrvFunction function);
/// Sets SIMT_DRV_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES or the carveout; other attributes are
/// SIMT_DRV_ERROR_INVALID_VALUE.
SIMTRT_EXPORT simtDrvResult simtDrvFuncSetAttribute(simtDrvFunction function,
                                                    simtDrvFunction_attribute attribute, int value);
/// No effect.
SIMTRT_EXPORT simtDrvResult simtDrvFuncSetCacheConfig(simtDrvFunction function,
                                                      simtDrvFunc_cache config);
SIMTRT_EXPORT simtDrvResult simtDrvLaunchCooperativeKernel(
    simtDrvFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared_bytes, simtDrvStream stream,
    void** arguments);
SIMTRT_EXPORT simtDrvResult simtDrvOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, simtDrvFunction function, int block_size, std::size_t shared_bytes);
/// Bytes of dynamic shared memory of a block with this number of threads.
typedef std::size_t (*simtDrvOccupancyB2DSize)(int block_size);
/// Block size with the highest occupancy, at most `limit` (0: no limit), and the number of such blocks
/// that occupy the device. A null `shared_bytes_of` selects `shared_bytes` for all block sizes.
SIMTRT_EXPORT simtDrvResult simtDrvOccupancyMaxPotentialBlockSize(
    int* blocks, int* block_size, simtDrvFunction function, simtDrvOccupancyB2DSize shared_bytes_of,
    std::size_t shared_bytes, int limit);

/// Launches of CUDA 3: the function holds its configuration and the bytes of its arguments, which must
/// fit the parameters as in `extra` of simtDrvLaunchKernel.
SIMTRT_EXPORT simtDrvResult simtDrvFuncSetBlockShape(simtDrvFunction function, int x, int y, int z);
SIMTRT_EXPORT simtDrvResult simtDrvFuncSetSharedSize(simtDrvFunction function, unsigned bytes);
SIMTRT_EXPORT simtDrvResult simtDrvParamSetSize(simtDrvFunction function, unsigned bytes);
SIMTRT_EXPORT simtDrvResult simtDrvParamSetv(simtDrvFunction function, int offset, void* value,
                                             unsigned bytes);
SIMTRT_EXPORT simtDrvResult simtDrvParamSeti(simtDrvFunction function, int offset, unsigned value);
SIMTRT_EXPORT simtDrvResult simtDrvParamSetf(simtDrvFunction function, int offset, float value);
SIMTRT_EXPORT simtDrvResult simtDrvLaunch(simtDrvFunction function);
SIMTRT_EXPORT simtDrvResult simtDrvLaunchGrid(simtDrvFunction function, int width, int height);
SIMTRT_EXPORT simtDrvResult simtDrvLaunchGridAsync(simtDrvFunction function, int width, int height,
                                                   simtDrvStream stream);

}  // extern "C"
