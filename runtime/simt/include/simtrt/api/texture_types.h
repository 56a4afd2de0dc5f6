// Types of the runtime API for CUDA arrays, textures and surfaces. Names, values and members are
// those of CUDA 12.4 (driver_types.h, texture_types.h, surface_types.h).
#pragma once

#include <simtrt/api/memory_types.h>

#include <cstddef>

enum simtChannelFormatKind {
  simtChannelFormatKindSigned = 0,
  simtChannelFormatKindUnsigned = 1,
  simtChannelFormatKindFloat = 2,
  simtChannelFormatKindNone = 3,
  simtChannelFormatKindNV12 = 4,
  simtChannelFormatKindUnsignedNormalized8X1 = 5,
  simtChannelFormatKindUnsignedNormalized8X2 = 6,
  simtChannelFormatKindUnsignedNormalized8X4 = 7,
  simtChannelFormatKindUnsignedNormalized16X1 = 8,
  simtChannelFormatKindUnsignedNormalized16X2 = 9,
  simtChannelFormatKindUnsignedNormalized16X4 = 10,
  simtChannelFormatKindSignedNormalized8X1 = 11,
  simtChannelFormatKindSignedNormalized8X2 = 12,
  simtChannelFormatKindSignedNormalized8X4 = 13,
  simtChannelFormatKindSignedNormalized16X1 = 14,
  simtChannelFormatKindSignedNormalized16X2 = 15,
  simtChannelFormatKindSignedNormalized16X4 = 16,
  simtChannelFormatKindUnsignedBlockCompressed1 = 17,
  simtChannelFormatKindUnsignedBlockCompressed1SRGB = 18,
  simtChannelFormatKindUnsignedBlockCompressed2 = 19,
  simtChannelFormatKindUnsignedBlockCompressed2SRGB = 20,
  simtChannelFormatKindUnsignedBlockCompressed3 = 21,
  simtChannelFormatKindUnsignedBlockCompressed3SRGB = 22,
  simtChannelFormatKindUnsignedBlockCompressed4 = 23,
  simtChannelFormatKindSignedBlockCompressed4 = 24,
  simtChannelFormatKindUnsignedBlockCompressed5 = 25,
  simtChannelFormatKindSignedBlockCompressed5 = 26,
  simtChannelFormatKindUnsignedBlockCompressed6H = 27,
  simtChannelFormatKindSignedBlockCompressed6H = 28,
  simtChannelFormatKindUnsignedBlockCompressed7 = 29,
  simtChannelFormatKindUnsignedBlockCompressed7SRGB = 30,
};

/// Bits of the channels of an element. This target has 1, 2 and 4 channels of 8, 16 or 32 bits of
/// the kinds Signed, Unsigned and Float.
struct simtChannelFormatDesc {
  int x;
  int y;
  int z;
  int w;
  simtChannelFormatKind f;
};

typedef struct simtMipmappedArray* simtMipmappedArray_t;
typedef const struct simtMipmappedArray* simtMipmappedArray_const_t;

// Flags of simtMalloc3DArray.
#define simtArrayDefault 0x00
#define simtArrayLayered 0x01
#define simtArraySurfaceLoadStore 0x02
#define simtArrayCubemap 0x04
#define simtArrayTextureGather 0x08

enum simtResourceType {
  simtResourceTypeArray = 0,
  simtResourceTypeMipmappedArray = 1,
  simtResourceTypeLinear = 2,
  simtResourceTypePitch2D = 3,
};

/// Memory that a texture or surface reads.
struct simtResourceDesc {
  simtResourceType resType;
  union {
    struct {
      simtArray_t array;
    } array;
    struct {
      simtMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      simtChannelFormatDesc desc;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      simtChannelFormatDesc desc;
      std::size_t width;
      std::size_t height;
      std::size_t pitchInBytes;
    } pitch2D;
  } res;
};

enum simtTextureAddressMode {
  simtAddressModeWrap = 0,
  simtAddressModeClamp = 1,
  simtAddressModeMirror = 2,
  simtAddressModeBorder = 3,
};

enum simtTextureFilterMode {
  simtFilterModePoint = 0,
  simtFilterModeLinear = 1,
};

enum simtTextureReadMode {
  simtReadModeElementType = 0,
  simtReadModeNormalizedFloat = 1,
};

/// Description of the reads of a texture. The members about anisotropy, trilinear optimization and
/// seamless cubemaps have no effect.
struct simtTextureDesc {
  simtTextureAddressMode addressMode[3];
  simtTextureFilterMode filterMode;
  simtTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  simtTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};

enum simtSurfaceBoundaryMode {
  simtBoundaryModeZero = 0,
  simtBoundaryModeClamp = 1,
  simtBoundaryModeTrap = 2,
};

typedef unsigned long long simtTextureObject_t;
typedef unsigned long long simtSurfaceObject_t;

inline simtChannelFormatDesc simtCreateChannelDesc(int x, int y, int z, int w,
                                                   simtChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
