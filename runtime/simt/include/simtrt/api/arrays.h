// CUDA arrays, texture and surface objects: functions of CUDA 12.4's cuda_runtime_api.h.
// simt_runtime_api.h includes this file.
//
// An array is device memory whose rows lie one after another. Offsets and sizes of copies between
// memory and arrays are bytes, rows and slices; simtMemcpy3D counts elements for arrays. Errors:
// simtErrorInvalidValue for null pointers and invalid sizes, simtErrorInvalidChannelDescriptor,
// simtErrorInvalidFilterSetting for linear filtering of integers.
#pragma once

#include <simtrt/api/texture_types.h>
#include <simtrt/api/types.h>
#include <simtrt/config.h>

struct simtResourceViewDesc;

extern "C" {

SIMTRT_EXPORT simtError_t simtMallocArray(simtArray_t* array, const simtChannelFormatDesc* format,
                                          std::size_t width, std::size_t height = 0,
                                          unsigned flags = 0);
/// A dimension with extent 0 is missing. Layered arrays have `depth` layers.
SIMTRT_EXPORT simtError_t simtMalloc3DArray(simtArray_t* array, const simtChannelFormatDesc* format,
                                            simtExtent extent, unsigned flags = 0);
SIMTRT_EXPORT simtError_t simtFreeArray(simtArray_t array);
SIMTRT_EXPORT simtError_t simtArrayGetInfo(simtChannelFormatDesc* format, simtExtent* extent,
                                           unsigned* flags, simtArray_t array);
SIMTRT_EXPORT simtError_t simtGetChannelDesc(simtChannelFormatDesc* format,
                                             simtArray_const_t array);

SIMTRT_EXPORT simtError_t simtMemcpy2DToArray(simtArray_t to, std::size_t x, std::size_t y,
                                              const void* from, std::size_t pitch,
                                              std::size_t width, std::size_t height,
                                              simtMemcpyKind kind);
SIMTRT_EXPORT simtError_t simtMemcpy2DToArrayAsync(simtArray_t to, std::size_t x, std::size_t y,
                                                   const void* from, std::size_t pitch,
                                                   std::size_t width, std::size_t height,
                                                   simtMemcpyKind kind,
                                                   simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemcpy2DFromArray(void* to, std::size_t pitch, simtArray_const_t from,
                                                std::size_t x, std::size_t y, std::size_t width,
                                                std::size_t height, simtMemcpyKind kind);
SIMTRT_EXPORT simtError_t simtMemcpy2DFromArrayAsync(void* to, std::size_t pitch,
                                                     simtArray_const_t from, std::size_t x,
                                                     std::size_t y, std::size_t width,
                                                     std::size_t height, simtMemcpyKind kind,
                                                     simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemcpy2DArrayToArray(
    simtArray_t to, std::size_t to_x, std::size_t to_y, simtArray_const_t from, std::size_t from_x,
    std::size_t from_y, std::size_t width, std::size_t height,
    simtMemcpyKind kind = simtMemcpyDeviceToDevice);
// Copies of `count` bytes, which may extend over several rows.
SIMTRT_EXPORT simtError_t simtMemcpyToArray(simtArray_t to, std::size_t x, std::size_t y,
                                            const void* from, std::size_t count,
                                            simtMemcpyKind kind);
SIMTRT_EXPORT simtError_t simtMemcpyToArrayAsync(simtArray_t to, std::size_t x, std::size_t y,
                                                 const void* from, std::size_t count,
                                                 simtMemcpyKind kind,
                                                 simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtMemcpyFromArray(void* to, simtArray_const_t from, std::size_t x,
                                              std::size_t y, std::size_t count,
                                              simtMemcpyKind kind);
SIMTRT_EXPORT simtError_t simtMemcpyFromArrayAsync(void* to, simtArray_const_t from, std::size_t x,
                                                   std::size_t y, std::size_t count,
                                                   simtMemcpyKind kind,
                                                   simtStream_t stream = nullptr);

/// `view` may be null. A texture of a mipmapped array needs normalised coordinates.
SIMTRT_EXPORT simtError_t simtCreateTextureObject(simtTextureObject_t* object,
                                                  const simtResourceDesc* resource,
                                                  const simtTextureDesc* texture,
                                                  const simtResourceViewDesc* view);
SIMTRT_EXPORT simtError_t simtDestroyTextureObject(simtTextureObject_t object);
SIMTRT_EXPORT simtError_t simtGetTextureObjectResourceDesc(simtResourceDesc* resource,
                                                           simtTextureObject_t object);
SIMTRT_EXPORT simtError_t simtGetTextureObjectTextureDesc(simtTextureDesc* texture,
                                                          simtTextureObject_t object);
SIMTRT_EXPORT simtError_t simtCreateSurfaceObject(simtSurfaceObject_t* object,
                                                  const simtResourceDesc* resource);
SIMTRT_EXPORT simtError_t simtDestroySurfaceObject(simtSurfaceObject_t object);
SIMTRT_EXPORT simtError_t simtGetSurfaceObjectResourceDesc(simtResourceDesc* resource,
                                                           simtSurfaceObject_t object);

}  // extern "C"

inline simtChannelFormatDesc simtCreateChannelDescHalf() {
  return {16, 0, 0, 0, simtChannelFormatKindFloat};
}
inline simtChannelFormatDesc simtCreateChannelDescHalf1() { return simtCreateChannelDescHalf(); }
inline simtChannelFormatDesc simtCreateChannelDescHalf2() {
  return {16, 16, 0, 0, simtChannelFormatKindFloat};
}
inline simtChannelFormatDesc simtCreateChannelDescHalf4() {
  return {16, 16, 16, 16, simtChannelFormatKindFloat};
}
