// Arrays and mipmapped arrays of the driver API. Names, values and members: CUDA 12.4, cuda.h. simt_driver.h includes
// this header.
//
// A handle denotes the same array in both APIs, after a cast: simtDrvArray and simtArray_t, simtDrvMipmappedArray and
// simtMipmappedArray_t.
#pragma once

#include <simt.h>

typedef struct SIMTarray_st* simtDrvArray;
typedef struct SIMTmipmappedArray_st* simtDrvMipmappedArray;

/// Types of a channel. This target has the integers of 8, 16 and 32 bits, HALF and FLOAT; functions return
/// SIMT_DRV_ERROR_NOT_SUPPORTED for the others.
typedef enum simtDrvArray_format {
  SIMT_DRV_AD_FORMAT_UNSIGNED_INT8 = 0x01,
  SIMT_DRV_AD_FORMAT_UNSIGNED_INT16 = 0x02,
  SIMT_DRV_AD_FORMAT_UNSIGNED_INT32 = 0x03,
  SIMT_DRV_AD_FORMAT_SIGNED_INT8 = 0x08,
  SIMT_DRV_AD_FORMAT_SIGNED_INT16 = 0x09,
  SIMT_DRV_AD_FORMAT_SIGNED_INT32 = 0x0A,
  SIMT_DRV_AD_FORMAT_HALF = 0x10,
  SIMT_DRV_AD_FORMAT_FLOAT = 0x20,
  SIMT_DRV_AD_FORMAT_BC1_UNORM = 0x91,
  SIMT_DRV_AD_FORMAT_BC1_UNORM_SRGB = 0x92,
  SIMT_DRV_AD_FORMAT_BC2_UNORM = 0x93,
  SIMT_DRV_AD_FORMAT_BC2_UNORM_SRGB = 0x94,
  SIMT_DRV_AD_FORMAT_BC3_UNORM = 0x95,
  SIMT_DRV_AD_FORMAT_BC3_UNORM_SRGB = 0x96,
  SIMT_DRV_AD_FORMAT_BC4_UNORM = 0x97,
  SIMT_DRV_AD_FORMAT_BC4_SNORM = 0x98,
  SIMT_DRV_AD_FORMAT_BC5_UNORM = 0x99,
  SIMT_DRV_AD_FORMAT_BC5_SNORM = 0x9A,
  SIMT_DRV_AD_FORMAT_BC6H_UF16 = 0x9B,
  SIMT_DRV_AD_FORMAT_BC6H_SF16 = 0x9C,
  SIMT_DRV_AD_FORMAT_BC7_UNORM = 0x9D,
  SIMT_DRV_AD_FORMAT_BC7_UNORM_SRGB = 0x9E,
  SIMT_DRV_AD_FORMAT_NV12 = 0xB0,
  SIMT_DRV_AD_FORMAT_UNORM_INT8X1 = 0xC0,
  SIMT_DRV_AD_FORMAT_UNORM_INT8X2 = 0xC1,
  SIMT_DRV_AD_FORMAT_UNORM_INT8X4 = 0xC2,
  SIMT_DRV_AD_FORMAT_UNORM_INT16X1 = 0xC3,
  SIMT_DRV_AD_FORMAT_UNORM_INT16X2 = 0xC4,
  SIMT_DRV_AD_FORMAT_UNORM_INT16X4 = 0xC5,
  SIMT_DRV_AD_FORMAT_SNORM_INT8X1 = 0xC6,
  SIMT_DRV_AD_FORMAT_SNORM_INT8X2 = 0xC7,
  SIMT_DRV_AD_FORMAT_SNORM_INT8X4 = 0xC8,
  SIMT_DRV_AD_FORMAT_SNORM_INT16X1 = 0xC9,
  SIMT_DRV_AD_FORMAT_SNORM_INT16X2 = 0xCA,
  SIMT_DRV_AD_FORMAT_SNORM_INT16X4 = 0xCB,
} simtDrvArray_format;

/// Layers of a cubemap, in the order of memory.
typedef enum simtDrvArray_cubemap_face {
  SIMT_DRV_CUBEMAP_FACE_POSITIVE_X = 0,
  SIMT_DRV_CUBEMAP_FACE_NEGATIVE_X = 1,
  SIMT_DRV_CUBEMAP_FACE_POSITIVE_Y = 2,
  SIMT_DRV_CUBEMAP_FACE_NEGATIVE_Y = 3,
  SIMT_DRV_CUBEMAP_FACE_POSITIVE_Z = 4,
  SIMT_DRV_CUBEMAP_FACE_NEGATIVE_Z = 5,
} simtDrvArray_cubemap_face;

// Flags of arrays, with the numbers of the flags of simtMalloc3DArray.
#define SIMT_DRV_ARRAY3D_LAYERED 0x01
#define SIMT_DRV_ARRAY3D_2DARRAY 0x01  // the older name of LAYERED
#define SIMT_DRV_ARRAY3D_SURFACE_LDST 0x02
#define SIMT_DRV_ARRAY3D_CUBEMAP 0x04
#define SIMT_DRV_ARRAY3D_TEXTURE_GATHER 0x08

/// Array of one dimension (Height is 0) or of two. Sizes are elements; an element has 1, 2 or 4 channels.
typedef struct SIMT_DRV_ARRAY_DESCRIPTOR {
  std::size_t Width;
  std::size_t Height;
  simtDrvArray_format Format;
  unsigned NumChannels;
} SIMT_DRV_ARRAY_DESCRIPTOR;

/// Array of up to three dimensions; a dimension with size 0 is missing. Layered arrays have Depth layers.
typedef struct SIMT_DRV_ARRAY3D_DESCRIPTOR {
  std::size_t Width;
  std::size_t Height;
  std::size_t Depth;
  simtDrvArray_format Format;
  unsigned NumChannels;
  unsigned Flags;
} SIMT_DRV_ARRAY3D_DESCRIPTOR;

extern "C" {

// Errors: SIMT_DRV_ERROR_INVALID_VALUE for null pointers, sizes, flags and numbers of channels;
// SIMT_DRV_ERROR_INVALID_HANDLE for handles of no array.
SIMTRT_EXPORT simtDrvResult simtDrvArrayCreate(simtDrvArray* array,
                                               const SIMT_DRV_ARRAY_DESCRIPTOR* descriptor);
SIMTRT_EXPORT simtDrvResult simtDrvArray3DCreate(simtDrvArray* array,
                                                 const SIMT_DRV_ARRAY3D_DESCRIPTOR* descriptor);
SIMTRT_EXPORT simtDrvResult simtDrvArrayGetDescriptor(SIMT_DRV_ARRAY_DESCRIPTOR* descriptor,
                                                      simtDrvArray array);
SIMTRT_EXPORT simtDrvResult simtDrvArray3DGetDescriptor(SIMT_DRV_ARRAY3D_DESCRIPTOR* descriptor,
                                                        simtDrvArray array);
/// SIMT_DRV_ERROR_INVALID_VALUE for a level of a mipmapped array.
SIMTRT_EXPORT simtDrvResult simtDrvArrayDestroy(simtDrvArray array);

/// `levels` is limited to the number of levels down to a single element.
SIMTRT_EXPORT simtDrvResult
simtDrvMipmappedArrayCreate(simtDrvMipmappedArray* array,
                            const SIMT_DRV_ARRAY3D_DESCRIPTOR* descriptor, unsigned levels);
/// The level belongs to the mipmapped array.
SIMTRT_EXPORT simtDrvResult simtDrvMipmappedArrayGetLevel(simtDrvArray* level,
                                                          simtDrvMipmappedArray array,
                                                          unsigned number);
SIMTRT_EXPORT simtDrvResult simtDrvMipmappedArrayDestroy(simtDrvMipmappedArray array);

}  // extern "C"
