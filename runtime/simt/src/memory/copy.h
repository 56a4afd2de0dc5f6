// Copies and fills of up to three dimensions, the stream work of simtMemcpy* and simtMemset*.
//
// Ownership: the caller owns the memory.
// Threads: the worker that runs the copy; parts run on other workers.
// Memory ordering: as for parallel_for (simtrt/enqueue.h).
#pragma once

#include <cstddef>

namespace simtrt {

/// Region of `depth` slices of `height` rows of `width` bytes. Rows begin `pitch` bytes apart,
/// slices `slice` bytes apart.
struct Region {
  char* begin = nullptr;
  std::size_t pitch = 0;
  std::size_t slice = 0;

  /// Number of bytes from the first to the last byte of a region.
  std::size_t extent(std::size_t width, std::size_t height, std::size_t depth) const {
    return width == 0 || height == 0 || depth == 0
               ? 0
               : (depth - 1) * slice + (height - 1) * pitch + width;
  }
};

struct Extent {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
};

void copy_region(const Region& to, const Region& from, const Extent& extent);
void fill_region(const Region& to, unsigned char value, const Extent& extent);

}  // namespace simtrt
