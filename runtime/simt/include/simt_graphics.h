// Resources of graphics APIs that kernels read and write. Names and values: CUDA 12.4, driver_types.h and
// cuda_runtime_api.h.
//
// The device shares no memory with a graphics API, so that no resource can be registered: every call with a resource
// returns simtErrorInvalidResourceHandle.
#pragma once

#include <simt_runtime_api.h>

struct simtGraphicsResource;
typedef struct simtGraphicsResource* simtGraphicsResource_t;

enum simtGraphicsRegisterFlags {
  simtGraphicsRegisterFlagsNone = 0,
  simtGraphicsRegisterFlagsReadOnly = 1,
  simtGraphicsRegisterFlagsWriteDiscard = 2,
  simtGraphicsRegisterFlagsSurfaceLoadStore = 4,
  simtGraphicsRegisterFlagsTextureGather = 8,
};

enum simtGraphicsMapFlags {
  simtGraphicsMapFlagsNone = 0,
  simtGraphicsMapFlagsReadOnly = 1,
  simtGraphicsMapFlagsWriteDiscard = 2,
};

enum simtGraphicsCubeFace {
  simtGraphicsCubeFacePositiveX = 0,
  simtGraphicsCubeFaceNegativeX = 1,
  simtGraphicsCubeFacePositiveY = 2,
  simtGraphicsCubeFaceNegativeY = 3,
  simtGraphicsCubeFacePositiveZ = 4,
  simtGraphicsCubeFaceNegativeZ = 5,
};

SIMTRT_EXPORT simtError_t simtGraphicsUnregisterResource(simtGraphicsResource_t resource);
SIMTRT_EXPORT simtError_t simtGraphicsResourceSetMapFlags(simtGraphicsResource_t resource,
                                                          unsigned flags);
SIMTRT_EXPORT simtError_t simtGraphicsMapResources(int count, simtGraphicsResource_t* resources,
                                                   simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtGraphicsUnmapResources(int count, simtGraphicsResource_t* resources,
                                                     simtStream_t stream = nullptr);
SIMTRT_EXPORT simtError_t simtGraphicsResourceGetMappedPointer(void** pointer, std::size_t* size,
                                                               simtGraphicsResource_t resource);
SIMTRT_EXPORT simtError_t simtGraphicsSubResourceGetMappedArray(simtArray_t* array,
                                                                simtGraphicsResource_t resource,
                                                                unsigned array_index,
                                                                unsigned mip_level);
