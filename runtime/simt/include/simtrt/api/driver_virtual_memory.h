// Virtual memory of the driver API: ranges of addresses, memory without an address, and mappings of memory into ranges.
// Names, values and members: CUDA 12.4, cuda.h, "Virtual Memory Management". simt_driver.h includes this header.
#pragma once

#include <simt.h>

extern "C" {

typedef unsigned long long simtDrvMemGenericAllocationHandle;

typedef enum simtDrvMemLocationType {
  SIMT_DRV_MEM_LOCATION_TYPE_INVALID = 0,
  SIMT_DRV_MEM_LOCATION_TYPE_DEVICE = 1,
  SIMT_DRV_MEM_LOCATION_TYPE_HOST = 2,
  SIMT_DRV_MEM_LOCATION_TYPE_HOST_NUMA = 3,
  SIMT_DRV_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 4,
  SIMT_DRV_MEM_LOCATION_TYPE_MAX = 0x7FFFFFFF,
} simtDrvMemLocationType;

typedef enum simtDrvMemAllocationType {
  SIMT_DRV_MEM_ALLOCATION_TYPE_INVALID = 0,
  SIMT_DRV_MEM_ALLOCATION_TYPE_PINNED = 1,
  SIMT_DRV_MEM_ALLOCATION_TYPE_MAX = 0x7FFFFFFF,
} simtDrvMemAllocationType;

typedef enum simtDrvMemAllocationHandleType {
  SIMT_DRV_MEM_HANDLE_TYPE_NONE = 0,
  SIMT_DRV_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
  SIMT_DRV_MEM_HANDLE_TYPE_WIN32 = 2,
  SIMT_DRV_MEM_HANDLE_TYPE_WIN32_KMT = 4,
  SIMT_DRV_MEM_HANDLE_TYPE_FABRIC = 8,
  SIMT_DRV_MEM_HANDLE_TYPE_MAX = 0x7FFFFFFF,
} simtDrvMemAllocationHandleType;

typedef enum simtDrvMemAccess_flags {
  SIMT_DRV_MEM_ACCESS_FLAGS_PROT_NONE = 0,
  SIMT_DRV_MEM_ACCESS_FLAGS_PROT_READ = 1,
  SIMT_DRV_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
  SIMT_DRV_MEM_ACCESS_FLAGS_PROT_MAX = 0x7FFFFFFF,
} simtDrvMemAccess_flags;

typedef enum simtDrvMemAllocationGranularity_flags {
  SIMT_DRV_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
  SIMT_DRV_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
} simtDrvMemAllocationGranularity_flags;

typedef enum simtDrvMemAllocationCompType {
  SIMT_DRV_MEM_ALLOCATION_COMP_NONE = 0,
  SIMT_DRV_MEM_ALLOCATION_COMP_GENERIC = 1,
} simtDrvMemAllocationCompType;

typedef struct simtDrvMemLocation {
  simtDrvMemLocationType type;
  int id;
} simtDrvMemLocation;

/// Description of memory. Compression and access by other devices of the bus have no effect.
typedef struct simtDrvMemAllocationProp {
  simtDrvMemAllocationType type;
  simtDrvMemAllocationHandleType requestedHandleTypes;
  simtDrvMemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} simtDrvMemAllocationProp;

typedef struct simtDrvMemAccessDesc {
  simtDrvMemLocation location;
  simtDrvMemAccess_flags flags;
} simtDrvMemAccessDesc;

SIMTRT_EXPORT simtDrvResult simtDrvMemGetAllocationGranularity(
    std::size_t* bytes, const simtDrvMemAllocationProp* properties,
    simtDrvMemAllocationGranularity_flags option);
/// Reserves addresses, at `wanted` if they are free. Nothing is accessible at them.
SIMTRT_EXPORT simtDrvResult simtDrvMemAddressReserve(simtDrvDeviceptr* pointer, std::size_t bytes,
                                                     std::size_t alignment, simtDrvDeviceptr wanted,
                                                     unsigned long long flags);
/// Frees a whole range that simtDrvMemAddressReserve reserved and that has no mappings.
SIMTRT_EXPORT simtDrvResult simtDrvMemAddressFree(simtDrvDeviceptr pointer, std::size_t bytes);
/// Allocates zeroed memory, which lives until its handle is released and its last mapping is removed.
SIMTRT_EXPORT simtDrvResult simtDrvMemCreate(simtDrvMemGenericAllocationHandle* handle,
                                             std::size_t bytes,
                                             const simtDrvMemAllocationProp* properties,
                                             unsigned long long flags);
SIMTRT_EXPORT simtDrvResult simtDrvMemRelease(simtDrvMemGenericAllocationHandle handle);
/// Maps the whole memory; it becomes accessible by simtDrvMemSetAccess.
SIMTRT_EXPORT simtDrvResult simtDrvMemMap(simtDrvDeviceptr pointer, std::size_t bytes,
                                          std::size_t offset,
                                          simtDrvMemGenericAllocationHandle handle,
                                          unsigned long long flags);
/// Removes whole mappings that fill the range.
SIMTRT_EXPORT simtDrvResult simtDrvMemUnmap(simtDrvDeviceptr pointer, std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemSetAccess(simtDrvDeviceptr pointer, std::size_t bytes,
                                                const simtDrvMemAccessDesc* accesses,
                                                std::size_t count);
SIMTRT_EXPORT simtDrvResult simtDrvMemGetAccess(unsigned long long* flags,
                                                const simtDrvMemLocation* location,
                                                simtDrvDeviceptr pointer);
SIMTRT_EXPORT simtDrvResult
simtDrvMemGetAllocationPropertiesFromHandle(simtDrvMemAllocationProp* properties,
                                            simtDrvMemGenericAllocationHandle handle);
/// Handle of the memory that is mapped at an address; the caller releases it.
SIMTRT_EXPORT simtDrvResult
simtDrvMemRetainAllocationHandle(simtDrvMemGenericAllocationHandle* handle, void* pointer);
/// Stores a new file descriptor in the int at `shareable`.
SIMTRT_EXPORT simtDrvResult simtDrvMemExportToShareableHandle(
    void* shareable, simtDrvMemGenericAllocationHandle handle, simtDrvMemAllocationHandleType type,
    unsigned long long flags);
/// `shareable` is the file descriptor itself, converted to a pointer; the caller keeps and closes it.
SIMTRT_EXPORT simtDrvResult
simtDrvMemImportFromShareableHandle(simtDrvMemGenericAllocationHandle* handle, void* shareable,
                                    simtDrvMemAllocationHandleType type);

}  // extern "C"
