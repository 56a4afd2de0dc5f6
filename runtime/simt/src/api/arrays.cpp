// CUDA arrays and their copies.
#include "api/array_handles.h"
#include "api/call.h"

#include <memory>
#include <utility>

using namespace simtrt;

namespace simtrt {

Handles<simtArray_t, simtArray>& arrays() {
  static auto& handles = *new Handles<simtArray_t, simtArray>();
  return handles;
}

char* place_in(const simtArray& array, std::size_t x, std::size_t y) {
  return array.image.begin + y * array.image.pitch + x;
}
simtPitchedPtr memory_of(const Image& image) {
  return make_simtPitchedPtr(image.begin, image.pitch, image.pitch, image.height);
}
bool contains(const Image& image, const simtPos& at, const simtExtent& extent) {
  const auto fits = [](std::size_t begin, std::size_t count, std::size_t size) {
    return count <= size && begin <= size - count;
  };
  return fits(at.x, extent.width, image.pitch) && fits(at.y, extent.height, image.height) &&
         fits(at.z, extent.depth, image.depth);
}

namespace {

// CUDA C++ Programming Guide, "Technical Specifications": dimensions that the kinds of arrays may have.
bool is_extent(const simtExtent& extent, unsigned flags) {
  if (extent.width == 0) return false;
  const bool flat = extent.depth == 0 || (flags & simtArrayLayered) != 0;
  const simtExtent most = flat ? simtExtent{131072, 65536, 2048} : simtExtent{16384, 16384, 16384};
  if (extent.width > most.width || extent.height > most.height || extent.depth > most.depth)
    return false;
  if ((flags & simtArrayCubemap) != 0) {
    return extent.width == extent.height && extent.depth % 6 == 0 && extent.depth != 0 &&
           ((flags & simtArrayLayered) != 0 || extent.depth == 6);
  }
  if ((flags & simtArrayLayered) != 0) return extent.depth != 0;
  return extent.depth == 0 || extent.height != 0;
}

}  // namespace

simtError_t check_array(const simtChannelFormatDesc* format, const simtExtent& extent,
                        unsigned flags) {
  constexpr unsigned known =
      simtArrayLayered | simtArraySurfaceLoadStore | simtArrayCubemap | simtArrayTextureGather;
  if (format == nullptr || (flags & ~known) != 0 || !is_extent(extent, flags))
    return simtErrorInvalidValue;
  return is_supported(*format) ? simtSuccess : simtErrorInvalidChannelDescriptor;
}

simtError_t make_array(simtArray_t* handle, const simtChannelFormatDesc& format,
                       const simtExtent& extent, unsigned flags, bool is_level) {
  auto array = std::make_shared<simtArray>();
  array->extent = extent;
  array->flags = flags;
  array->is_level = is_level;
  Image& image = array->image;
  image.format = format;
  image.width = extent.width;
  image.height = extent.height == 0 ? 1 : extent.height;
  image.depth = extent.depth == 0 ? 1 : extent.depth;
  image.pitch = image.width * image.element_bytes();
  image.slice = image.pitch * image.height;
  void* memory = nullptr;
  const simtError_t error = simtMalloc(&memory, image.slice * image.depth);
  if (error != simtSuccess) return error;
  image.begin = static_cast<char*>(memory);
  *handle = array.get();
  arrays().add(*handle, std::move(array));
  return simtSuccess;
}

simtError_t free_array(simtArray_t handle) {
  const auto array = arrays().remove(handle);
  return array == nullptr ? simtErrorInvalidValue : simtFree(array->image.begin);
}

}  // namespace simtrt

namespace {

// Directions of copies to and from arrays, which are device memory.
bool is_to_array(simtMemcpyKind kind) {
  return kind != simtMemcpyDeviceToHost && kind != simtMemcpyHostToHost;
}
bool is_from_array(simtMemcpyKind kind) {
  return kind != simtMemcpyHostToDevice && kind != simtMemcpyHostToHost;
}

// Finds the array of a handle, and runs a copy between memory and the place in the array.
template <class Copy>
simtError_t with_place(simtArray_const_t handle, std::size_t x, std::size_t y, Copy copy) {
  const auto array = arrays().find(const_cast<simtArray_t>(handle));
  if (array == nullptr) return remember(simtErrorInvalidResourceHandle);
  const std::size_t row = array->image.pitch;
  if (x >= row || y >= array->image.height) return remember(simtErrorInvalidValue);
  return copy(place_in(*array, x, y), *array);
}

template <class Copy>
simtError_t copy_rows(simtArray_const_t handle, std::size_t x, std::size_t y, std::size_t width,
                      std::size_t height, Copy copy) {
  return with_place(handle, x, y, [&](char* place, const simtArray& array) {
    if (x + width > array.image.pitch || y + height > array.image.height)
      return remember(simtErrorInvalidValue);
    return copy(place, array.image.pitch);
  });
}

template <class Copy>
simtError_t copy_bytes(simtArray_const_t handle, std::size_t x, std::size_t y, std::size_t count,
                       Copy copy) {
  return with_place(handle, x, y, [&](char* place, const simtArray& array) {
    const Image& image = array.image;
    if (place + count > image.begin + image.pitch * image.height)
      return remember(simtErrorInvalidValue);
    return copy(place);
  });
}

}  // namespace

simtError_t simtMalloc3DArray(simtArray_t* handle, const simtChannelFormatDesc* format,
                              simtExtent extent, unsigned flags) {
  return call([&] {
    if (handle == nullptr) return simtErrorInvalidValue;
    if (const simtError_t error = check_array(format, extent, flags)) return error;
    return make_array(handle, *format, extent, flags, /*is_level=*/false);
  });
}
simtError_t simtMallocArray(simtArray_t* array, const simtChannelFormatDesc* format,
                            std::size_t width, std::size_t height, unsigned flags) {
  return simtMalloc3DArray(array, format, make_simtExtent(width, height, 0), flags);
}
simtError_t simtFreeArray(simtArray_t handle) {
  return call([&] {
    if (handle == nullptr) return simtSuccess;
    const auto array = arrays().find(handle);
    return array == nullptr || array->is_level ? simtErrorInvalidValue : free_array(handle);
  });
}
simtError_t simtArrayGetInfo(simtChannelFormatDesc* format, simtExtent* extent, unsigned* flags,
                             simtArray_t handle) {
  return call([&] {
    const auto array = arrays().find(handle);
    if (array == nullptr) return simtErrorInvalidResourceHandle;
    if (format != nullptr) *format = array->image.format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return simtSuccess;
  });
}
simtError_t simtGetChannelDesc(simtChannelFormatDesc* format, simtArray_const_t array) {
  if (format == nullptr) return remember(simtErrorInvalidValue);
  return simtArrayGetInfo(format, nullptr, nullptr, const_cast<simtArray_t>(array));
}

simtError_t simtMemcpy2DToArrayAsync(simtArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height,
                                     simtMemcpyKind kind, simtStream_t stream) {
  if (!is_to_array(kind)) return remember(simtErrorInvalidMemcpyDirection);
  return copy_rows(to, x, y, width, height, [&](char* place, std::size_t row) {
    return simtMemcpy2DAsync(place, row, from, pitch, width, height, kind, stream);
  });
}
simtError_t simtMemcpy2DToArray(simtArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                simtMemcpyKind kind) {
  if (!is_to_array(kind)) return remember(simtErrorInvalidMemcpyDirection);
  return copy_rows(to, x, y, width, height, [&](char* place, std::size_t row) {
    return simtMemcpy2D(place, row, from, pitch, width, height, kind);
  });
}
simtError_t simtMemcpy2DFromArrayAsync(void* to, std::size_t pitch, simtArray_const_t from,
                                       std::size_t x, std::size_t y, std::size_t width,
                                       std::size_t height, simtMemcpyKind kind,
                                       simtStream_t stream) {
  if (!is_from_array(kind)) return remember(simtErrorInvalidMemcpyDirection);
  return copy_rows(from, x, y, width, height, [&](const char* place, std::size_t row) {
    return simtMemcpy2DAsync(to, pitch, place, row, width, height, kind, stream);
  });
}
simtError_t simtMemcpy2DFromArray(void* to, std::size_t pitch, simtArray_const_t from,
                                  std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, simtMemcpyKind kind) {
  if (!is_from_array(kind)) return remember(simtErrorInvalidMemcpyDirection);
  return copy_rows(from, x, y, width, height, [&](const char* place, std::size_t row) {
    return simtMemcpy2D(to, pitch, place, row, width, height, kind);
  });
}
simtError_t simtMemcpy2DArrayToArray(simtArray_t to, std::size_t to_x, std::size_t to_y,
                                     simtArray_const_t from, std::size_t from_x,
                                     std::size_t from_y, std::size_t width, std::size_t height,
                                     simtMemcpyKind kind) {
  return copy_rows(to, to_x, to_y, width, height, [&](char* place, std::size_t row) {
    return simtMemcpy2DFromArray(place, row, from, from_x, from_y, width, height, kind);
  });
}
simtError_t simtMemcpyToArrayAsync(simtArray_t to, std::size_t x, std::size_t y, const void* from,
                                   std::size_t count, simtMemcpyKind kind, simtStream_t stream) {
  if (!is_to_array(kind)) return remember(simtErrorInvalidMemcpyDirection);
  return copy_bytes(to, x, y, count, [&](char* place) {
    return simtMemcpyAsync(place, from, count, kind, stream);
  });
}
simtError_t simtMemcpyToArray(simtArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t count, simtMemcpyKind kind) {
  if (!is_to_array(kind)) return remember(simtErrorInvalidMemcpyDirection);
  return copy_bytes(to, x, y, count,
                    [&](char* place) { return simtMemcpy(place, from, count, kind); });
}
simtError_t simtMemcpyFromArrayAsync(void* to, simtArray_const_t from, std::size_t x,
                                     std::size_t y, std::size_t count, simtMemcpyKind kind,
                                     simtStream_t stream) {
  if (!is_from_array(kind)) return remember(simtErrorInvalidMemcpyDirection);
  return copy_bytes(from, x, y, count, [&](const char* place) {
    return simtMemcpyAsync(to, place, count, kind, stream);
  });
}
simtError_t simtMemcpyFromArray(void* to, simtArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t count, simtMemcpyKind kind) {
  if (!is_from_array(kind)) return remember(simtErrorInvalidMemcpyDirection);
  return copy_bytes(from, x, y, count,
                    [&](const char* place) { return simtMemcpy(to, place, count, kind); });
}
