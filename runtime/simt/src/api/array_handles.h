// Handles of CUDA arrays and mipmapped arrays, and their creation.
//
// Ownership: the tables own the objects until the program frees them. A mipmapped array owns its
// levels.
// Threads: any thread. Memory ordering: as in handles.h.
#pragma once

#include "handles.h"
#include "texture/image.h"

namespace simtrt {

Handles<simtArray_t, simtArray>& arrays();
Handles<simtMipmappedArray_t, simtMipmappedArray>& mipmapped_arrays();

/// Error for a null format, unknown flags, and invalid extents and formats.
simtError_t check_array(const simtChannelFormatDesc* format, const simtExtent& extent,
                        unsigned flags);
/// Allocates an array. The caller has checked the arguments. `is_level` marks a level of a mipmapped
/// array, which the program cannot free alone.
simtError_t make_array(simtArray_t* handle, const simtChannelFormatDesc& format,
                       const simtExtent& extent, unsigned flags, bool is_level);
simtError_t free_array(simtArray_t handle);

}  // namespace simtrt
