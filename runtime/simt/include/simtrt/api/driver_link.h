// Options of modules, and the linker of the driver API. Names and values: CUDA 12.4, cuda.h. simt_driver.h includes this
// header.
//
// A module is a shared library (simtcc -ptx, simtrtc). No option changes its code: buffers for logs become empty texts.
#pragma once

#include <simt.h>

extern "C" {

/// Values of simtDrvJit_option.
enum {
  SIMT_DRV_JIT_MAX_REGISTERS = 0,
  SIMT_DRV_JIT_THREADS_PER_BLOCK = 1,
  SIMT_DRV_JIT_WALL_TIME = 2,
  SIMT_DRV_JIT_INFO_LOG_BUFFER = 3,
  SIMT_DRV_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  SIMT_DRV_JIT_ERROR_LOG_BUFFER = 5,
  SIMT_DRV_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  SIMT_DRV_JIT_OPTIMIZATION_LEVEL = 7,
  SIMT_DRV_JIT_TARGET_FROM_CUCONTEXT = 8,
  SIMT_DRV_JIT_TARGET = 9,
  SIMT_DRV_JIT_FALLBACK_STRATEGY = 10,
  SIMT_DRV_JIT_GENERATE_DEBUG_INFO = 11,
  SIMT_DRV_JIT_LOG_VERBOSE = 12,
  SIMT_DRV_JIT_GENERATE_LINE_INFO = 13,
  SIMT_DRV_JIT_CACHE_MODE = 14,
  SIMT_DRV_JIT_NEW_SM3X_OPT = 15,
  SIMT_DRV_JIT_FAST_COMPILE = 16,
  SIMT_DRV_JIT_GLOBAL_SYMBOL_NAMES = 17,
  SIMT_DRV_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
  SIMT_DRV_JIT_GLOBAL_SYMBOL_COUNT = 19,
  SIMT_DRV_JIT_LTO = 20,
  SIMT_DRV_JIT_FTZ = 21,
  SIMT_DRV_JIT_PREC_DIV = 22,
  SIMT_DRV_JIT_PREC_SQRT = 23,
  SIMT_DRV_JIT_FMA = 24,
  SIMT_DRV_JIT_REFERENCED_KERNEL_NAMES = 25,
  SIMT_DRV_JIT_REFERENCED_KERNEL_COUNT = 26,
  SIMT_DRV_JIT_REFERENCED_VARIABLE_NAMES = 27,
  SIMT_DRV_JIT_REFERENCED_VARIABLE_COUNT = 28,
  SIMT_DRV_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
  SIMT_DRV_JIT_POSITION_INDEPENDENT_CODE = 30,
  SIMT_DRV_JIT_MIN_CTA_PER_SM = 31,
  SIMT_DRV_JIT_MAX_THREADS_PER_BLOCK = 32,
  SIMT_DRV_JIT_OVERRIDE_DIRECTIVE_VALUES = 33,
  SIMT_DRV_JIT_NUM_OPTIONS = 34,
};

/// Kinds of code. The linker accepts images of modules under every kind.
typedef enum simtDrvJitInputType {
  SIMT_DRV_JIT_INPUT_CUBIN = 0,
  SIMT_DRV_JIT_INPUT_PTX = 1,
  SIMT_DRV_JIT_INPUT_FATBINARY = 2,
  SIMT_DRV_JIT_INPUT_OBJECT = 3,
  SIMT_DRV_JIT_INPUT_LIBRARY = 4,
  SIMT_DRV_JIT_INPUT_NVVM = 5,
  SIMT_DRV_JIT_NUM_INPUT_TYPES = 6,
} simtDrvJitInputType;

typedef struct SIMTlinkState_st* simtDrvLinkState;

/// Begins a link of one image. Options as for simtDrvModuleLoadDataEx.
SIMTRT_EXPORT simtDrvResult simtDrvLinkCreate(unsigned count, simtDrvJit_option* options,
                                              void** values, simtDrvLinkState* state);
/// Copies an image. Errors: SIMT_DRV_ERROR_NOT_SUPPORTED for a second image, because shared libraries cannot be joined;
/// SIMT_DRV_ERROR_INVALID_IMAGE for data that are no module, for example PTX of nvcc.
SIMTRT_EXPORT simtDrvResult simtDrvLinkAddData(simtDrvLinkState state, simtDrvJitInputType type,
                                               void* image, std::size_t bytes, const char* name,
                                               unsigned count, simtDrvJit_option* options,
                                               void** values);
SIMTRT_EXPORT simtDrvResult simtDrvLinkAddFile(simtDrvLinkState state, simtDrvJitInputType type,
                                               const char* path, unsigned count,
                                               simtDrvJit_option* options, void** values);
/// Image for simtDrvModuleLoadData. The state owns the image.
SIMTRT_EXPORT simtDrvResult simtDrvLinkComplete(simtDrvLinkState state, void** image,
                                                std::size_t* bytes);
SIMTRT_EXPORT simtDrvResult simtDrvLinkDestroy(simtDrvLinkState state);

}  // extern "C"
