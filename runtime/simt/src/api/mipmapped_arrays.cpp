// Mipmapped arrays. CUDA Runtime API, cudaMallocMipmappedArray.
#include "api/array_handles.h"
#include "api/call.h"

#include <algorithm>
#include <memory>
#include <utility>

using namespace simtrt;

namespace simtrt {

Handles<simtMipmappedArray_t, simtMipmappedArray>& mipmapped_arrays() {
  static auto& handles = *new Handles<simtMipmappedArray_t, simtMipmappedArray>();
  return handles;
}

}  // namespace simtrt

namespace {

constexpr unsigned kLayers = simtArrayLayered | simtArrayCubemap;

unsigned most_levels(const simtExtent& extent, unsigned flags) {
  const std::size_t depth = (flags & kLayers) != 0 ? 0 : extent.depth;
  unsigned levels = 1;
  for (auto size = std::max({extent.width, extent.height, depth}); size > 1; size /= 2) ++levels;
  return levels;
}

// A dimension that the array lacks has extent 0 in all levels.
simtExtent level_extent(const simtExtent& extent, unsigned flags, unsigned level) {
  const auto shrunk = [level](std::size_t size) {
    return size == 0 ? 0 : std::max<std::size_t>(1, size >> level);
  };
  return {shrunk(extent.width), shrunk(extent.height),
          (flags & kLayers) != 0 ? extent.depth : shrunk(extent.depth)};
}

void free_levels(const simtMipmappedArray& array) {
  for (const simtArray_t level : array.levels) free_array(level);
}

}  // namespace

simtError_t simtMallocMipmappedArray(simtMipmappedArray_t* handle,
                                     const simtChannelFormatDesc* format, simtExtent extent,
                                     unsigned levels, unsigned flags) {
  return call([&] {
    if (handle == nullptr) return simtErrorInvalidValue;
    if (const simtError_t error = check_array(format, extent, flags)) return error;
    auto array = std::make_shared<simtMipmappedArray>();
    array->levels.resize(std::clamp(levels, 1u, most_levels(extent, flags)));
    for (unsigned level = 0; level < array->levels.size(); ++level) {
      const simtError_t error = make_array(&array->levels[level], *format,
                                           level_extent(extent, flags, level), flags,
                                           /*is_level=*/true);
      if (error == simtSuccess) continue;
      array->levels.resize(level);
      free_levels(*array);
      return error;
    }
    *handle = array.get();
    mipmapped_arrays().add(*handle, std::move(array));
    return simtSuccess;
  });
}
simtError_t simtGetMipmappedArrayLevel(simtArray_t* level, simtMipmappedArray_const_t handle,
                                       unsigned number) {
  return call([&] {
    const auto array = mipmapped_arrays().find(const_cast<simtMipmappedArray_t>(handle));
    if (array == nullptr) return simtErrorInvalidResourceHandle;
    if (level == nullptr || number >= array->levels.size()) return simtErrorInvalidValue;
    *level = array->levels[number];
    return simtSuccess;
  });
}
simtError_t simtFreeMipmappedArray(simtMipmappedArray_t handle) {
  return call([&] {
    if (handle == nullptr) return simtSuccess;
    const auto array = mipmapped_arrays().remove(handle);
    if (array == nullptr) return simtErrorInvalidValue;
    free_levels(*array);
    return simtSuccess;
  });
}
