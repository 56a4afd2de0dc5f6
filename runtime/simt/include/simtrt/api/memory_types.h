// Types of the runtime API for memory and its pools. Names, values and members are those of CUDA
// 12.4 (driver_types.h, driver_functions.h).
#pragma once

#include <cstddef>

typedef struct SIMTmemPool_st* simtMemPool_t;

/// CUDA's arrays, from which textures read (simtrt/api/arrays.h).
struct simtArray;
typedef struct simtArray* simtArray_t;
typedef const struct simtArray* simtArray_const_t;

enum simtMemcpyKind {
  simtMemcpyHostToHost = 0,
  simtMemcpyHostToDevice = 1,
  simtMemcpyDeviceToHost = 2,
  simtMemcpyDeviceToDevice = 3,
  simtMemcpyDefault = 4,
};

enum simtMemoryType {
  simtMemoryTypeUnregistered = 0,
  simtMemoryTypeHost = 1,
  simtMemoryTypeDevice = 2,
  simtMemoryTypeManaged = 3,
};

/// Result of simtPointerGetAttributes for an address.
struct simtPointerAttributes {
  simtMemoryType type;
  int device;           ///< device of the memory; for registered memory, the current device
  void* devicePointer;  ///< null if devices cannot access the memory
  void* hostPointer;    ///< null if the host cannot access the memory
};

// Types of copies of boxes. A box has `width` bytes, `height` rows and `depth` slices.
struct simtExtent {
  std::size_t width;
  std::size_t height;
  std::size_t depth;
};

struct simtPos {
  std::size_t x;
  std::size_t y;
  std::size_t z;
};

/// Memory with rows that begin `pitch` bytes apart; `xsize` and `ysize` are its logical width and height.
struct simtPitchedPtr {
  void* ptr;
  std::size_t pitch;
  std::size_t xsize;
  std::size_t ysize;
};

/// Arguments of simtMemcpy3D: copies `extent` from srcPtr at srcPos to dstPtr at dstPos.
struct simtMemcpy3DParms {
  simtArray_t srcArray;
  simtPos srcPos;
  simtPitchedPtr srcPtr;
  simtArray_t dstArray;
  simtPos dstPos;
  simtPitchedPtr dstPtr;
  simtExtent extent;
  simtMemcpyKind kind;
};

/// Arguments of simtMemcpy3DPeer: the same copy between two devices.
struct simtMemcpy3DPeerParms {
  simtArray_t srcArray;
  simtPos srcPos;
  simtPitchedPtr srcPtr;
  int srcDevice;
  simtArray_t dstArray;
  simtPos dstPos;
  simtPitchedPtr dstPtr;
  int dstDevice;
  simtExtent extent;
};

constexpr simtExtent make_simtExtent(std::size_t width, std::size_t height, std::size_t depth) {
  return {width, height, depth};
}

constexpr simtPos make_simtPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }

constexpr simtPitchedPtr make_simtPitchedPtr(void* pointer, std::size_t pitch, std::size_t width,
                                             std::size_t height) {
  return {pointer, pitch, width, height};
}

/// Advice of simtMemAdvise.
enum simtMemoryAdvise {
  simtMemAdviseSetReadMostly = 1,
  simtMemAdviseUnsetReadMostly = 2,
  simtMemAdviseSetPreferredLocation = 3,
  simtMemAdviseUnsetPreferredLocation = 4,
  simtMemAdviseSetAccessedBy = 5,
  simtMemAdviseUnsetAccessedBy = 6,
};

/// Attributes of simtMemPoolSetAttribute and simtMemPoolGetAttribute. Values are of type int for
/// the three rules about the reuse of freed memory, and std::uint64_t (bytes) for the other
/// attributes.
enum simtMemPoolAttr {
  simtMemPoolReuseFollowEventDependencies = 1,
  simtMemPoolReuseAllowOpportunistic = 2,
  simtMemPoolReuseAllowInternalDependencies = 3,
  simtMemPoolAttrReleaseThreshold = 4,
  simtMemPoolAttrReservedMemCurrent = 5,
  simtMemPoolAttrReservedMemHigh = 6,
  simtMemPoolAttrUsedMemCurrent = 7,
  simtMemPoolAttrUsedMemHigh = 8,
};

enum simtMemLocationType {
  simtMemLocationTypeInvalid = 0,
  simtMemLocationTypeDevice = 1,
  simtMemLocationTypeHost = 2,
  simtMemLocationTypeHostNuma = 3,
  simtMemLocationTypeHostNumaCurrent = 4,
};

struct simtMemLocation {
  simtMemLocationType type;
  int id;  ///< number of the device, if `type` is a device
};

enum simtMemAccessFlags {
  simtMemAccessFlagsProtNone = 0,
  simtMemAccessFlagsProtRead = 1,
  simtMemAccessFlagsProtReadWrite = 3,
};

/// Access right of a device to the memory of a pool.
struct simtMemAccessDesc {
  simtMemLocation location;
  simtMemAccessFlags flags;
};

enum simtMemAllocationType {
  simtMemAllocationTypeInvalid = 0,
  simtMemAllocationTypePinned = 1,
  simtMemAllocationTypeMax = 0x7FFFFFFF,
};

enum simtMemAllocationHandleType {
  simtMemHandleTypeNone = 0,
  simtMemHandleTypePosixFileDescriptor = 1,
  simtMemHandleTypeWin32 = 2,
  simtMemHandleTypeWin32Kmt = 4,
  simtMemHandleTypeFabric = 8,
};

/// Properties of a pool for simtMemPoolCreate. A pool contains pinned memory of one device. If
/// maxSize is 0, its size has no limit.
struct simtMemPoolProps {
  simtMemAllocationType allocType;
  simtMemAllocationHandleType handleTypes;
  simtMemLocation location;
  void* win32SecurityAttributes;
  std::size_t maxSize;
  unsigned char reserved[56];
};

// Flags of simtHostAlloc.
#define simtHostAllocDefault 0x00
#define simtHostAllocPortable 0x01
#define simtHostAllocMapped 0x02
#define simtHostAllocWriteCombined 0x04

// Flags of simtHostRegister.
#define simtHostRegisterDefault 0x00
#define simtHostRegisterPortable 0x01
#define simtHostRegisterMapped 0x02
#define simtHostRegisterIoMemory 0x04
#define simtHostRegisterReadOnly 0x08

// Flags of simtMallocManaged and simtStreamAttachMemAsync.
#define simtMemAttachGlobal 0x01
#define simtMemAttachHost 0x02
#define simtMemAttachSingle 0x04

// Handles that share memory and events with other processes: the types exist, but their functions
// return simtErrorNotSupported.
#define SIMT_IPC_HANDLE_SIZE 64
#define simtIpcMemLazyEnablePeerAccess 0x01

typedef struct simtIpcEventHandle_st {
  char reserved[SIMT_IPC_HANDLE_SIZE];
} simtIpcEventHandle_t;

typedef struct simtIpcMemHandle_st {
  char reserved[SIMT_IPC_HANDLE_SIZE];
} simtIpcMemHandle_t;
