// Creation of texture objects, for the runtime API and the driver API.
//
// Ownership: the table of textures owns the object; its memory belongs to the program.
// Threads: any thread. Memory ordering: as in handles.h.
#pragma once

#include "texture/image.h"

namespace simtrt {

/// Elements of 32 bits in a texture with simtReadModeNormalizedFloat.
enum class WideElements {
  kRejected,  ///< simtErrorInvalidNormSetting, as in the runtime API
  kKept,      ///< reads give the elements, as in the driver API
};

/// Errors: simtErrorInvalidValue, simtErrorInvalidResourceHandle for an unknown array,
/// simtErrorInvalidChannelDescriptor, simtErrorInvalidNormSetting, simtErrorInvalidFilterSetting, and those of
/// apply_view (api/resource_views.h).
simtError_t make_texture(simtTextureObject_t* object, const simtResourceDesc& resource,
                         const simtTextureDesc& how, const simtResourceViewDesc* view,
                         WideElements wide);

}  // namespace simtrt
