// Copies of the driver API between arrays, host memory and device memory. Names, values and members: CUDA 12.4,
// cuda.h. simt_driver.h includes this header.
#pragma once

#include <simtrt/api/driver_arrays.h>

/// Memory of one side of a copy. UNIFIED is any address, host or device.
typedef enum simtDrvMemorytype {
  SIMT_DRV_MEMORYTYPE_HOST = 1,
  SIMT_DRV_MEMORYTYPE_DEVICE = 2,
  SIMT_DRV_MEMORYTYPE_ARRAY = 3,
  SIMT_DRV_MEMORYTYPE_UNIFIED = 4,
} simtDrvMemorytype;

/// Copy of Height rows of WidthInBytes bytes. The type of a side selects the member that states its memory: Host,
/// Device (also for UNIFIED) or Array. The first byte of memory is `pointer + Y * Pitch + XInBytes`. A pitch that is
/// 0 is permitted for a single row.
typedef struct SIMT_DRV_MEMCPY2D {
  std::size_t srcXInBytes;
  std::size_t srcY;
  simtDrvMemorytype srcMemoryType;
  const void* srcHost;
  simtDrvDeviceptr srcDevice;
  simtDrvArray srcArray;
  std::size_t srcPitch;

  std::size_t dstXInBytes;
  std::size_t dstY;
  simtDrvMemorytype dstMemoryType;
  void* dstHost;
  simtDrvDeviceptr dstDevice;
  simtDrvArray dstArray;
  std::size_t dstPitch;

  std::size_t WidthInBytes;
  std::size_t Height;
} SIMT_DRV_MEMCPY2D;

/// Copy of Depth slices. The slices of memory begin `Height * Pitch` bytes apart, with the Height of the side; it may
/// be 0 for a single slice. The levels of detail (LOD) must be 0.
typedef struct SIMT_DRV_MEMCPY3D {
  std::size_t srcXInBytes;
  std::size_t srcY;
  std::size_t srcZ;
  std::size_t srcLOD;
  simtDrvMemorytype srcMemoryType;
  const void* srcHost;
  simtDrvDeviceptr srcDevice;
  simtDrvArray srcArray;
  void* reserved0;
  std::size_t srcPitch;
  std::size_t srcHeight;

  std::size_t dstXInBytes;
  std::size_t dstY;
  std::size_t dstZ;
  std::size_t dstLOD;
  simtDrvMemorytype dstMemoryType;
  void* dstHost;
  simtDrvDeviceptr dstDevice;
  simtDrvArray dstArray;
  void* reserved1;
  std::size_t dstPitch;
  std::size_t dstHeight;

  std::size_t WidthInBytes;
  std::size_t Height;
  std::size_t Depth;
} SIMT_DRV_MEMCPY3D;

/// The same copy between two contexts.
typedef struct SIMT_DRV_MEMCPY3D_PEER {
  std::size_t srcXInBytes;
  std::size_t srcY;
  std::size_t srcZ;
  std::size_t srcLOD;
  simtDrvMemorytype srcMemoryType;
  const void* srcHost;
  simtDrvDeviceptr srcDevice;
  simtDrvArray srcArray;
  simtDrvContext srcContext;
  std::size_t srcPitch;
  std::size_t srcHeight;

  std::size_t dstXInBytes;
  std::size_t dstY;
  std::size_t dstZ;
  std::size_t dstLOD;
  simtDrvMemorytype dstMemoryType;
  void* dstHost;
  simtDrvDeviceptr dstDevice;
  simtDrvArray dstArray;
  simtDrvContext dstContext;
  std::size_t dstPitch;
  std::size_t dstHeight;

  std::size_t WidthInBytes;
  std::size_t Height;
  std::size_t Depth;
} SIMT_DRV_MEMCPY3D_PEER;

extern "C" {

// Errors: SIMT_DRV_ERROR_INVALID_VALUE for pitches and heights that are too small, boxes beyond an array or
// allocation, and device addresses outside of device memory; SIMT_DRV_ERROR_INVALID_HANDLE for handles of no array or
// stream.
SIMTRT_EXPORT simtDrvResult simtDrvMemcpy2D(const SIMT_DRV_MEMCPY2D* copy);
/// The same as simtDrvMemcpy2D, which accepts all pitches on this target.
SIMTRT_EXPORT simtDrvResult simtDrvMemcpy2DUnaligned(const SIMT_DRV_MEMCPY2D* copy);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpy2DAsync(const SIMT_DRV_MEMCPY2D* copy,
                                                 simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpy3D(const SIMT_DRV_MEMCPY3D* copy);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpy3DAsync(const SIMT_DRV_MEMCPY3D* copy,
                                                 simtDrvStream stream);
/// SIMT_DRV_ERROR_INVALID_CONTEXT for unknown contexts.
SIMTRT_EXPORT simtDrvResult simtDrvMemcpy3DPeer(const SIMT_DRV_MEMCPY3D_PEER* copy);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpy3DPeerAsync(const SIMT_DRV_MEMCPY3D_PEER* copy,
                                                     simtDrvStream stream);

// Copies of `bytes` consecutive bytes of arrays. CUDA specifies them for arrays of one dimension; this target also
// accepts other arrays, whose rows and slices lie one after another.
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyHtoA(simtDrvArray to, std::size_t offset, const void* from,
                                              std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyHtoAAsync(simtDrvArray to, std::size_t offset,
                                                   const void* from, std::size_t bytes,
                                                   simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyAtoH(void* to, simtDrvArray from, std::size_t offset,
                                              std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyAtoHAsync(void* to, simtDrvArray from, std::size_t offset,
                                                   std::size_t bytes, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyDtoA(simtDrvArray to, std::size_t offset,
                                              simtDrvDeviceptr from, std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyAtoD(simtDrvDeviceptr to, simtDrvArray from,
                                              std::size_t offset, std::size_t bytes);
/// The elements of both arrays must have the same size.
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyAtoA(simtDrvArray to, std::size_t to_offset,
                                              simtDrvArray from, std::size_t from_offset,
                                              std::size_t bytes);

}  // extern "C"
