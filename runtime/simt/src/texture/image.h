// CUDA arrays, textures and surfaces.
//
// Ownership: an array owns its device memory, a mipmapped array its levels; textures and surfaces
// refer to memory of the program. Handles of objects are their addresses.
// Threads: objects are constant after their creation; the caller orders their creation and
// destruction with the kernels that use them. Memory ordering: none.
#pragma once

#include <simt_runtime_api.h>
#include <simtrt/api/arrays.h>
#include <simtrt/api/mipmapped_arrays.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace simtrt {

/// Elements in memory: `depth` slices or layers of `height` rows of `width` elements.
struct Image {
  char* begin = nullptr;
  std::size_t pitch = 0;  ///< bytes
  std::size_t slice = 0;  ///< bytes
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
  simtChannelFormatDesc format{};

  std::size_t element_bytes() const {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  }
};

/// True for formats of this target: 1, 2 or 4 channels of 8, 16 or 32 bits, floats of 16 or 32.
bool is_supported(const simtChannelFormatDesc& format);

struct Texture {
  Image image;                  ///< level 0 of a mipmapped array
  std::vector<Image> smaller{};  ///< further levels, of the same format
  simtTextureDesc how;
  simtResourceDesc resource;
  std::optional<simtResourceViewDesc> view{};
  bool promotes = false;  ///< reads of integers give floats; never for elements of 32 bits
};

struct Surface {
  Image image;
  simtResourceDesc resource;
};

/// Region of an array for copies, from byte `x` of row `y`.
char* place_in(const simtArray& array, std::size_t x, std::size_t y);

/// Memory of an array, for copies.
simtPitchedPtr memory_of(const Image& image);
/// True if an array contains a box of `extent.width` bytes, rows and slices that begins at `at`.
bool contains(const Image& image, const simtPos& at, const simtExtent& extent);

}  // namespace simtrt

struct simtArray {
  simtrt::Image image;
  simtExtent extent;  ///< as given to simtMalloc3DArray
  unsigned flags;
  bool is_level;  ///< belongs to a mipmapped array
};

struct simtMipmappedArray {
  std::vector<simtArray_t> levels;
};
