// Views of arrays in textures. CUDA Runtime API, cudaCreateTextureObject.
//
// Ownership: none. Threads: any thread. Memory ordering: none.
#pragma once

#include "texture/image.h"

namespace simtrt {

/// Restricts the image and levels of a texture to a view. `extent` and `flags` are those of the
/// array at level 0. simtErrorInvalidValue for members that do not fit the array,
/// simtErrorNotSupported for block-compressed formats.
simtError_t apply_view(const simtResourceViewDesc& view, const simtExtent& extent, unsigned flags,
                       Texture* texture);

}  // namespace simtrt
