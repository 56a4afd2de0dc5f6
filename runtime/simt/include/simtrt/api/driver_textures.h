// Texture and surface objects of the driver API. Names, values and members: CUDA 12.4, cuda.h. simt_driver.h includes
// this header.
//
// An object is the same in both APIs, and kernels read it by the functions of simtrt/texture/fetch.h.
#pragma once

#include <simtrt/api/driver_arrays.h>

typedef unsigned long long simtDrvTexObject;
typedef unsigned long long simtDrvSurfObject;

typedef enum simtDrvResourcetype {
  SIMT_DRV_RESOURCE_TYPE_ARRAY = 0,
  SIMT_DRV_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
  SIMT_DRV_RESOURCE_TYPE_LINEAR = 2,
  SIMT_DRV_RESOURCE_TYPE_PITCH2D = 3,
} simtDrvResourcetype;

/// Memory that a texture or surface reads. `flags` must be 0.
typedef struct SIMT_DRV_RESOURCE_DESC {
  simtDrvResourcetype resType;
  union {
    struct {
      simtDrvArray hArray;
    } array;
    struct {
      simtDrvMipmappedArray hMipmappedArray;
    } mipmap;
    struct {
      simtDrvDeviceptr devPtr;
      simtDrvArray_format format;
      unsigned numChannels;
      std::size_t sizeInBytes;
    } linear;
    struct {
      simtDrvDeviceptr devPtr;
      simtDrvArray_format format;
      unsigned numChannels;
      std::size_t width;
      std::size_t height;
      std::size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned flags;
} SIMT_DRV_RESOURCE_DESC;

typedef enum simtDrvAddress_mode {
  SIMT_DRV_TR_ADDRESS_MODE_WRAP = 0,
  SIMT_DRV_TR_ADDRESS_MODE_CLAMP = 1,
  SIMT_DRV_TR_ADDRESS_MODE_MIRROR = 2,
  SIMT_DRV_TR_ADDRESS_MODE_BORDER = 3,
} simtDrvAddress_mode;

typedef enum simtDrvFilter_mode {
  SIMT_DRV_TR_FILTER_MODE_POINT = 0,
  SIMT_DRV_TR_FILTER_MODE_LINEAR = 1,
} simtDrvFilter_mode;

// Flags of textures. Without READ_AS_INTEGER, reads of integers of 8 and 16 bits give floats from 0 to 1, or -1 to 1.
#define SIMT_DRV_TRSF_READ_AS_INTEGER 0x01
#define SIMT_DRV_TRSF_NORMALIZED_COORDINATES 0x02
#define SIMT_DRV_TRSF_SRGB 0x10
#define SIMT_DRV_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define SIMT_DRV_TRSF_SEAMLESS_CUBEMAP 0x40

/// Description of the reads of a texture. The flags about trilinear optimization and seamless cubemaps and the
/// anisotropy have no effect.
typedef struct SIMT_DRV_TEXTURE_DESC {
  simtDrvAddress_mode addressMode[3];
  simtDrvFilter_mode filterMode;
  unsigned flags;
  unsigned maxAnisotropy;
  simtDrvFilter_mode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
} SIMT_DRV_TEXTURE_DESC;

/// Formats of views, with the numbers of simtResourceViewFormat. This target lacks the block-compressed ones (BC).
typedef enum simtDrvResourceViewFormat {
  SIMT_DRV_RES_VIEW_FORMAT_NONE = 0,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_1X8 = 1,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_2X8 = 2,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_4X8 = 3,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_1X8 = 4,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_2X8 = 5,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_4X8 = 6,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_1X16 = 7,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_2X16 = 8,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_4X16 = 9,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_1X16 = 10,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_2X16 = 11,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_4X16 = 12,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_1X32 = 13,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_2X32 = 14,
  SIMT_DRV_RES_VIEW_FORMAT_UINT_4X32 = 15,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_1X32 = 16,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_2X32 = 17,
  SIMT_DRV_RES_VIEW_FORMAT_SINT_4X32 = 18,
  SIMT_DRV_RES_VIEW_FORMAT_FLOAT_1X16 = 19,
  SIMT_DRV_RES_VIEW_FORMAT_FLOAT_2X16 = 20,
  SIMT_DRV_RES_VIEW_FORMAT_FLOAT_4X16 = 21,
  SIMT_DRV_RES_VIEW_FORMAT_FLOAT_1X32 = 22,
  SIMT_DRV_RES_VIEW_FORMAT_FLOAT_2X32 = 23,
  SIMT_DRV_RES_VIEW_FORMAT_FLOAT_4X32 = 24,
  SIMT_DRV_RES_VIEW_FORMAT_UNSIGNED_BC1 = 25,
  SIMT_DRV_RES_VIEW_FORMAT_UNSIGNED_BC2 = 26,
  SIMT_DRV_RES_VIEW_FORMAT_UNSIGNED_BC3 = 27,
  SIMT_DRV_RES_VIEW_FORMAT_UNSIGNED_BC4 = 28,
  SIMT_DRV_RES_VIEW_FORMAT_SIGNED_BC4 = 29,
  SIMT_DRV_RES_VIEW_FORMAT_UNSIGNED_BC5 = 30,
  SIMT_DRV_RES_VIEW_FORMAT_SIGNED_BC5 = 31,
  SIMT_DRV_RES_VIEW_FORMAT_UNSIGNED_BC6H = 32,
  SIMT_DRV_RES_VIEW_FORMAT_SIGNED_BC6H = 33,
  SIMT_DRV_RES_VIEW_FORMAT_UNSIGNED_BC7 = 34,
} simtDrvResourceViewFormat;

/// Part of an array that a texture reads, as simtResourceViewDesc.
typedef struct SIMT_DRV_RESOURCE_VIEW_DESC {
  simtDrvResourceViewFormat format;
  std::size_t width;
  std::size_t height;
  std::size_t depth;
  unsigned firstMipmapLevel;
  unsigned lastMipmapLevel;
  unsigned firstLayer;
  unsigned lastLayer;
  unsigned reserved[16];
} SIMT_DRV_RESOURCE_VIEW_DESC;

extern "C" {

/// `view` may be null. Errors: SIMT_DRV_ERROR_INVALID_VALUE for null pointers, unknown modes and flags, formats and
/// memory that do not fit, a linear filter for integers that are read as integers, and mipmapped arrays without
/// normalised coordinates; SIMT_DRV_ERROR_INVALID_HANDLE for handles of no array; SIMT_DRV_ERROR_NOT_SUPPORTED for
/// formats that this target lacks.
SIMTRT_EXPORT simtDrvResult simtDrvTexObjectCreate(simtDrvTexObject* object,
                                                   const SIMT_DRV_RESOURCE_DESC* resource,
                                                   const SIMT_DRV_TEXTURE_DESC* texture,
                                                   const SIMT_DRV_RESOURCE_VIEW_DESC* view);
SIMTRT_EXPORT simtDrvResult simtDrvTexObjectDestroy(simtDrvTexObject object);
SIMTRT_EXPORT simtDrvResult simtDrvTexObjectGetResourceDesc(SIMT_DRV_RESOURCE_DESC* resource,
                                                            simtDrvTexObject object);
SIMTRT_EXPORT simtDrvResult simtDrvTexObjectGetTextureDesc(SIMT_DRV_TEXTURE_DESC* texture,
                                                           simtDrvTexObject object);
/// SIMT_DRV_ERROR_INVALID_VALUE for a texture without a view.
SIMTRT_EXPORT simtDrvResult simtDrvTexObjectGetResourceViewDesc(SIMT_DRV_RESOURCE_VIEW_DESC* view,
                                                                simtDrvTexObject object);

/// The resource must be an array.
SIMTRT_EXPORT simtDrvResult simtDrvSurfObjectCreate(simtDrvSurfObject* object,
                                                    const SIMT_DRV_RESOURCE_DESC* resource);
SIMTRT_EXPORT simtDrvResult simtDrvSurfObjectDestroy(simtDrvSurfObject object);
SIMTRT_EXPORT simtDrvResult simtDrvSurfObjectGetResourceDesc(SIMT_DRV_RESOURCE_DESC* resource,
                                                             simtDrvSurfObject object);

}  // extern "C"
