// Functions of the driver API about memory, pointers, limits and handles for other processes. They do the same as functions of the
// runtime API. simt_driver.h includes this header. Names and values are those of CUDA 12.4 (cuda.h).
#pragma once

#include <simt.h>
#include <simtrt/api/driver_modules.h>

typedef enum simtDrvPointer_attribute {
  SIMT_DRV_POINTER_ATTRIBUTE_CONTEXT = 1,         ///< simtDrvContext
  SIMT_DRV_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,     ///< unsigned: simtDrvMemorytype
  SIMT_DRV_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,  ///< simtDrvDeviceptr
  SIMT_DRV_POINTER_ATTRIBUTE_HOST_POINTER = 4,    ///< void*
  SIMT_DRV_POINTER_ATTRIBUTE_IS_MANAGED = 8,      ///< bool
  SIMT_DRV_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,  ///< int
  SIMT_DRV_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,  ///< simtDrvDeviceptr
  SIMT_DRV_POINTER_ATTRIBUTE_RANGE_SIZE = 12,        ///< std::size_t
  SIMT_DRV_POINTER_ATTRIBUTE_MAPPED = 13,            ///< bool
} simtDrvPointer_attribute;

typedef enum simtDrvLimit {
  SIMT_DRV_LIMIT_STACK_SIZE = 0,
  SIMT_DRV_LIMIT_PRINTF_FIFO_SIZE = 1,
  SIMT_DRV_LIMIT_MALLOC_HEAP_SIZE = 2,
  SIMT_DRV_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,
  SIMT_DRV_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4,
  SIMT_DRV_LIMIT_MAX_L2_FETCH_GRANULARITY = 5,
  SIMT_DRV_LIMIT_PERSISTING_L2_CACHE_SIZE = 6,
} simtDrvLimit;

#define SIMT_DRV_IPC_HANDLE_SIZE 64
typedef simtIpcEventHandle_t simtDrvIpcEventHandle;
typedef simtIpcMemHandle_t simtDrvIpcMemHandle;
typedef enum simtDrvIpcMem_flags {
  SIMT_DRV_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1,
} simtDrvIpcMem_flags;

extern "C" {

/// Begin and size of the allocation that contains `pointer`; each result may be null. Errors: SIMT_DRV_ERROR_NOT_FOUND for
/// memory that the runtime has not allocated.
SIMTRT_EXPORT simtDrvResult simtDrvMemGetAddressRange(simtDrvDeviceptr* begin, std::size_t* bytes,
                                                      simtDrvDeviceptr pointer);
/// Stores an attribute with the type that simtDrvPointer_attribute states. Errors: SIMT_DRV_ERROR_INVALID_VALUE for memory that
/// the runtime does not know, and for host pointers of memory that the host may not access.
SIMTRT_EXPORT simtDrvResult simtDrvPointerGetAttribute(void* data, simtDrvPointer_attribute attribute,
                                                       simtDrvDeviceptr pointer);
/// Stores several attributes; those that the memory lacks are 0 and no error.
SIMTRT_EXPORT simtDrvResult simtDrvPointerGetAttributes(unsigned count,
                                                        simtDrvPointer_attribute* attributes,
                                                        void** data, simtDrvDeviceptr pointer);
SIMTRT_EXPORT simtDrvResult simtDrvMemHostGetFlags(unsigned* flags, void* host);

SIMTRT_EXPORT simtDrvResult simtDrvCtxGetLimit(std::size_t* value, simtDrvLimit limit);
SIMTRT_EXPORT simtDrvResult simtDrvCtxSetLimit(simtDrvLimit limit, std::size_t value);
SIMTRT_EXPORT simtDrvResult simtDrvCtxGetCacheConfig(simtDrvFunc_cache* config);
SIMTRT_EXPORT simtDrvResult simtDrvCtxSetCacheConfig(simtDrvFunc_cache config);
SIMTRT_EXPORT simtDrvResult simtDrvCtxGetFlags(unsigned* flags);
SIMTRT_EXPORT simtDrvResult simtDrvCtxGetStreamPriorityRange(int* least, int* greatest);
SIMTRT_EXPORT simtDrvResult simtDrvDevicePrimaryCtxSetFlags(simtDrvDevice device, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvDevicePrimaryCtxReset(simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvDeviceGetByPCIBusId(simtDrvDevice* device, const char* bus_id);

/// Handles of memory and events for other processes, as simtIpcGetMemHandle and simtIpcGetEventHandle.
SIMTRT_EXPORT simtDrvResult simtDrvIpcGetMemHandle(simtDrvIpcMemHandle* handle, simtDrvDeviceptr pointer);
SIMTRT_EXPORT simtDrvResult simtDrvIpcOpenMemHandle(simtDrvDeviceptr* pointer, simtDrvIpcMemHandle handle,
                                                    unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvIpcCloseMemHandle(simtDrvDeviceptr pointer);
SIMTRT_EXPORT simtDrvResult simtDrvIpcGetEventHandle(simtDrvIpcEventHandle* handle, simtEvent_t event);
SIMTRT_EXPORT simtDrvResult simtDrvIpcOpenEventHandle(simtEvent_t* event, simtDrvIpcEventHandle handle);

}  // extern "C"
