// Driver API (CUDA 12.4, cuda.h), limited to the functions that programs combine with the runtime
// API: devices, contexts, memory, streams, events, errors, and modules of programs that simtrtc has
// compiled. Unlike in CUDA, no initialisation is needed; no call returns
// SIMT_DRV_ERROR_NOT_INITIALIZED.
#pragma once
#define SIMT_H  // Programs test this macro to learn whether the header was included.

#include <simt_runtime_api.h>
#include <simtrt/version.h>

// Calling convention: the compiler's default.
#define SIMTAPI
#define SIMT_DRV_CB

typedef unsigned long long simtDrvDeviceptr;
typedef int simtDrvDevice;
typedef struct SIMTcontext_st* simtDrvContext;
typedef struct SIMTmodule_st* simtDrvModule;
typedef struct SIMTfunction_st* simtDrvFunction;
typedef simtStream_t simtDrvStream;
typedef int simtDrvJit_option;  ///< options of a module; none of them has an effect

/// Errors of the driver API. A number that also occurs in simtError_t has the same meaning there.
typedef enum simtDrvResult {
  SIMT_DRV_SUCCESS = 0,
  SIMT_DRV_ERROR_INVALID_VALUE = 1,
  SIMT_DRV_ERROR_OUT_OF_MEMORY = 2,
  SIMT_DRV_ERROR_NOT_INITIALIZED = 3,
  SIMT_DRV_ERROR_DEINITIALIZED = 4,
  SIMT_DRV_ERROR_PROFILER_DISABLED = 5,
  SIMT_DRV_ERROR_PROFILER_NOT_INITIALIZED = 6,
  SIMT_DRV_ERROR_PROFILER_ALREADY_STARTED = 7,
  SIMT_DRV_ERROR_PROFILER_ALREADY_STOPPED = 8,
  SIMT_DRV_ERROR_STUB_LIBRARY = 34,
  SIMT_DRV_ERROR_DEVICE_UNAVAILABLE = 46,
  SIMT_DRV_ERROR_NO_DEVICE = 100,
  SIMT_DRV_ERROR_INVALID_DEVICE = 101,
  SIMT_DRV_ERROR_DEVICE_NOT_LICENSED = 102,
  SIMT_DRV_ERROR_INVALID_IMAGE = 200,
  SIMT_DRV_ERROR_INVALID_CONTEXT = 201,
  SIMT_DRV_ERROR_CONTEXT_ALREADY_CURRENT = 202,
  SIMT_DRV_ERROR_MAP_FAILED = 205,
  SIMT_DRV_ERROR_UNMAP_FAILED = 206,
  SIMT_DRV_ERROR_ARRAY_IS_MAPPED = 207,
  SIMT_DRV_ERROR_ALREADY_MAPPED = 208,
  SIMT_DRV_ERROR_NO_BINARY_FOR_GPU = 209,
  SIMT_DRV_ERROR_ALREADY_ACQUIRED = 210,
  SIMT_DRV_ERROR_NOT_MAPPED = 211,
  SIMT_DRV_ERROR_NOT_MAPPED_AS_ARRAY = 212,
  SIMT_DRV_ERROR_NOT_MAPPED_AS_POINTER = 213,
  SIMT_DRV_ERROR_ECC_UNCORRECTABLE = 214,
  SIMT_DRV_ERROR_UNSUPPORTED_LIMIT = 215,
  SIMT_DRV_ERROR_CONTEXT_ALREADY_IN_USE = 216,
  SIMT_DRV_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
  SIMT_DRV_ERROR_INVALID_PTX = 218,
  SIMT_DRV_ERROR_INVALID_GRAPHICS_CONTEXT = 219,
  SIMT_DRV_ERROR_NVLINK_UNCORRECTABLE = 220,
  SIMT_DRV_ERROR_JIT_COMPILER_NOT_FOUND = 221,
  SIMT_DRV_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  SIMT_DRV_ERROR_JIT_COMPILATION_DISABLED = 223,
  SIMT_DRV_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224,
  SIMT_DRV_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225,
  SIMT_DRV_ERROR_INVALID_SOURCE = 300,
  SIMT_DRV_ERROR_FILE_NOT_FOUND = 301,
  SIMT_DRV_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
  SIMT_DRV_ERROR_SHARED_OBJECT_INIT_FAILED = 303,
  SIMT_DRV_ERROR_OPERATING_SYSTEM = 304,
  SIMT_DRV_ERROR_INVALID_HANDLE = 400,
  SIMT_DRV_ERROR_ILLEGAL_STATE = 401,
  SIMT_DRV_ERROR_LOSSY_QUERY = 402,
  SIMT_DRV_ERROR_NOT_FOUND = 500,
  SIMT_DRV_ERROR_NOT_READY = 600,
  SIMT_DRV_ERROR_ILLEGAL_ADDRESS = 700,
  SIMT_DRV_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  SIMT_DRV_ERROR_LAUNCH_TIMEOUT = 702,
  SIMT_DRV_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,
  SIMT_DRV_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
  SIMT_DRV_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
  SIMT_DRV_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
  SIMT_DRV_ERROR_CONTEXT_IS_DESTROYED = 709,
  SIMT_DRV_ERROR_ASSERT = 710,
  SIMT_DRV_ERROR_TOO_MANY_PEERS = 711,
  SIMT_DRV_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
  SIMT_DRV_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
  SIMT_DRV_ERROR_HARDWARE_STACK_ERROR = 714,
  SIMT_DRV_ERROR_ILLEGAL_INSTRUCTION = 715,
  SIMT_DRV_ERROR_MISALIGNED_ADDRESS = 716,
  SIMT_DRV_ERROR_INVALID_ADDRESS_SPACE = 717,
  SIMT_DRV_ERROR_INVALID_PC = 718,
  SIMT_DRV_ERROR_LAUNCH_FAILED = 719,
  SIMT_DRV_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
  SIMT_DRV_ERROR_NOT_PERMITTED = 800,
  SIMT_DRV_ERROR_NOT_SUPPORTED = 801,
  SIMT_DRV_ERROR_SYSTEM_NOT_READY = 802,
  SIMT_DRV_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
  SIMT_DRV_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
  SIMT_DRV_ERROR_MPS_CONNECTION_FAILED = 805,
  SIMT_DRV_ERROR_MPS_RPC_FAILURE = 806,
  SIMT_DRV_ERROR_MPS_SERVER_NOT_READY = 807,
  SIMT_DRV_ERROR_MPS_MAX_CLIENTS_REACHED = 808,
  SIMT_DRV_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809,
  SIMT_DRV_ERROR_MPS_CLIENT_TERMINATED = 810,
  SIMT_DRV_ERROR_CDP_NOT_SUPPORTED = 811,
  SIMT_DRV_ERROR_CDP_VERSION_MISMATCH = 812,
  SIMT_DRV_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
  SIMT_DRV_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
  SIMT_DRV_ERROR_STREAM_CAPTURE_MERGE = 902,
  SIMT_DRV_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
  SIMT_DRV_ERROR_STREAM_CAPTURE_UNJOINED = 904,
  SIMT_DRV_ERROR_STREAM_CAPTURE_ISOLATION = 905,
  SIMT_DRV_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
  SIMT_DRV_ERROR_CAPTURED_EVENT = 907,
  SIMT_DRV_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
  SIMT_DRV_ERROR_TIMEOUT = 909,
  SIMT_DRV_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
  SIMT_DRV_ERROR_EXTERNAL_DEVICE = 911,
  SIMT_DRV_ERROR_INVALID_CLUSTER_SIZE = 912,
  SIMT_DRV_ERROR_FUNCTION_NOT_LOADED = 913,
  SIMT_DRV_ERROR_INVALID_RESOURCE_TYPE = 914,
  SIMT_DRV_ERROR_INVALID_RESOURCE_CONFIGURATION = 915,
  SIMT_DRV_ERROR_UNKNOWN = 999,
} simtDrvResult;

extern "C" {

/// Name or text of an error. For an unknown error, the text is null and the result is
/// SIMT_DRV_ERROR_INVALID_VALUE.
SIMTRT_EXPORT simtDrvResult simtDrvGetErrorString(simtDrvResult error, const char** text);
SIMTRT_EXPORT simtDrvResult simtDrvGetErrorName(simtDrvResult error, const char** name);

/// Does nothing: the driver needs no initialisation. Returns SIMT_DRV_ERROR_NO_DEVICE if there is
/// no device, and an error if `flags` is not 0.
SIMTRT_EXPORT simtDrvResult simtDrvInit(unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvDriverGetVersion(int* version);

SIMTRT_EXPORT simtDrvResult simtDrvDeviceGet(simtDrvDevice* device, int ordinal);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceGetCount(int* count);
/// Writes at most `length` characters, including the terminating zero.
SIMTRT_EXPORT simtDrvResult simtDrvDeviceGetName(char* name, int length, simtDrvDevice device);

/// Primary context of a device, its only context. It is always active.
/// simtDrvDevicePrimaryCtxRelease without an earlier simtDrvDevicePrimaryCtxRetain returns
/// SIMT_DRV_ERROR_INVALID_CONTEXT.
SIMTRT_EXPORT simtDrvResult simtDrvDevicePrimaryCtxRetain(simtDrvContext* context,
                                                          simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvDevicePrimaryCtxRelease(simtDrvDevice device);
/// `active` is always 1; `flags` are the flags of simtSetDeviceFlags.
SIMTRT_EXPORT simtDrvResult simtDrvDevicePrimaryCtxGetState(simtDrvDevice device, unsigned* flags,
                                                            int* active);

/// Makes the context's device the current device of the calling thread, like simtSetDevice. A null
/// `context` returns SIMT_DRV_ERROR_NOT_SUPPORTED, because every thread has a context.
SIMTRT_EXPORT simtDrvResult simtDrvCtxSetCurrent(simtDrvContext context);
/// Context of the calling thread's current device.
SIMTRT_EXPORT simtDrvResult simtDrvCtxGetCurrent(simtDrvContext* context);

/// Address and size in bytes of a variable of the module; each result may be null.
SIMTRT_EXPORT simtDrvResult simtDrvModuleGetGlobal(simtDrvDeviceptr* pointer, std::size_t* bytes,
                                                   simtDrvModule module, const char* name);

/// Loads an image of simtrtc (simtrtc.h), or the bytes of a file of simtcc (simt_driver.h). Options have
/// no effect. Errors: SIMT_DRV_ERROR_INVALID_IMAGE for other images, for example PTX.
SIMTRT_EXPORT simtDrvResult simtDrvModuleLoadData(simtDrvModule* module, const void* image);
SIMTRT_EXPORT simtDrvResult simtDrvModuleLoadDataEx(simtDrvModule* module, const void* image,
                                                    unsigned count, simtDrvJit_option* options,
                                                    void** values);
/// The module's kernels must no longer be used.
SIMTRT_EXPORT simtDrvResult simtDrvModuleUnload(simtDrvModule module);
/// A kernel by its name (extern "C"), or by its lowered name (simtrtcGetLoweredName).
SIMTRT_EXPORT simtDrvResult simtDrvModuleGetFunction(simtDrvFunction* function,
                                                     simtDrvModule module, const char* name);
/// Like simtLaunchKernel. `extra` names a buffer of all arguments (simt_driver.h) if it is not null.
SIMTRT_EXPORT simtDrvResult simtDrvLaunchKernel(simtDrvFunction function, unsigned grid_x,
                                                unsigned grid_y, unsigned grid_z, unsigned block_x,
                                                unsigned block_y, unsigned block_z,
                                                unsigned shared_bytes, simtDrvStream stream,
                                                void** arguments, void** extra);

}  // extern "C"

#include <simtrt/api/driver_calls.h>
