// Mipmapped arrays, and views of arrays as other formats, layers and levels: functions and types of
// CUDA 12.4's cuda_runtime_api.h and texture_types.h. simt_runtime_api.h includes this file.
//
// Level n + 1 of a mipmapped array has half the size of level n, rounded down, and at least one
// element in each dimension. All levels have the same layers or faces.
#pragma once

#include <simtrt/api/texture_types.h>
#include <simtrt/api/types.h>
#include <simtrt/config.h>

/// Formats of views. This target has those with 1, 2 and 4 channels of 8, 16 and 32 bits.
enum simtResourceViewFormat {
  simtResViewFormatNone = 0,
  simtResViewFormatUnsignedChar1 = 1,
  simtResViewFormatUnsignedChar2 = 2,
  simtResViewFormatUnsignedChar4 = 3,
  simtResViewFormatSignedChar1 = 4,
  simtResViewFormatSignedChar2 = 5,
  simtResViewFormatSignedChar4 = 6,
  simtResViewFormatUnsignedShort1 = 7,
  simtResViewFormatUnsignedShort2 = 8,
  simtResViewFormatUnsignedShort4 = 9,
  simtResViewFormatSignedShort1 = 10,
  simtResViewFormatSignedShort2 = 11,
  simtResViewFormatSignedShort4 = 12,
  simtResViewFormatUnsignedInt1 = 13,
  simtResViewFormatUnsignedInt2 = 14,
  simtResViewFormatUnsignedInt4 = 15,
  simtResViewFormatSignedInt1 = 16,
  simtResViewFormatSignedInt2 = 17,
  simtResViewFormatSignedInt4 = 18,
  simtResViewFormatHalf1 = 19,
  simtResViewFormatHalf2 = 20,
  simtResViewFormatHalf4 = 21,
  simtResViewFormatFloat1 = 22,
  simtResViewFormatFloat2 = 23,
  simtResViewFormatFloat4 = 24,
  simtResViewFormatUnsignedBlockCompressed1 = 25,
  simtResViewFormatUnsignedBlockCompressed2 = 26,
  simtResViewFormatUnsignedBlockCompressed3 = 27,
  simtResViewFormatUnsignedBlockCompressed4 = 28,
  simtResViewFormatSignedBlockCompressed4 = 29,
  simtResViewFormatUnsignedBlockCompressed5 = 30,
  simtResViewFormatSignedBlockCompressed5 = 31,
  simtResViewFormatUnsignedBlockCompressed6H = 32,
  simtResViewFormatSignedBlockCompressed6H = 33,
  simtResViewFormatUnsignedBlockCompressed7 = 34,
};

/// Part of an array that a texture reads. Width, height and depth are those of the array; the first
/// level and layer become number 0.
struct simtResourceViewDesc {
  simtResourceViewFormat format;
  std::size_t width;
  std::size_t height;
  std::size_t depth;
  unsigned firstMipmapLevel;
  unsigned lastMipmapLevel;
  unsigned firstLayer;
  unsigned lastLayer;
};

extern "C" {

/// `levels` is limited to the number of levels down to a single element.
SIMTRT_EXPORT simtError_t simtMallocMipmappedArray(simtMipmappedArray_t* array,
                                                   const simtChannelFormatDesc* format,
                                                   simtExtent extent, unsigned levels,
                                                   unsigned flags = 0);
/// The level belongs to the mipmapped array and cannot be freed alone.
SIMTRT_EXPORT simtError_t simtGetMipmappedArrayLevel(simtArray_t* level,
                                                     simtMipmappedArray_const_t array,
                                                     unsigned number);
SIMTRT_EXPORT simtError_t simtFreeMipmappedArray(simtMipmappedArray_t array);

/// simtErrorInvalidValue for a texture without a view.
SIMTRT_EXPORT simtError_t simtGetTextureObjectResourceViewDesc(simtResourceViewDesc* view,
                                                               simtTextureObject_t object);

}  // extern "C"
