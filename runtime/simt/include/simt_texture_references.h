// Texture and surface references: textures that are global variables, which CUDA 12.0 removed. CUDA C++ Programming
// Guide 11.8, "Texture Reference API". Names and members: CUDA 11.8, texture_types.h, cuda_texture_types.h,
// cuda_runtime.h.
//
// A binding makes a texture object, which the fetches of kernels read. The object has the attributes that the reference
// has at that moment.
//
// Ownership: the reference owns its object, the program owns the bound memory. The objects of the last bindings live
// until the process ends.
// Threads: as in CUDA, one host thread at a time changes a reference. A new binding waits for the device, because
// kernels that were launched before it read the old one.
#pragma once

#include <simtrt/kernel/letters_begin.h>

#include <simt_runtime.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <type_traits>

// Kinds of references.
#define simtTextureType1D 0x01
#define simtTextureType2D 0x02
#define simtTextureType3D 0x03
#define simtTextureTypeCubemap 0x0C
#define simtTextureType1DLayered 0xF1
#define simtTextureType2DLayered 0xF2
#define simtTextureTypeCubemapLayered 0xFC
#define simtSurfaceType1D 0x01
#define simtSurfaceType2D 0x02
#define simtSurfaceType3D 0x03
#define simtSurfaceTypeCubemap 0x0C
#define simtSurfaceType1DLayered 0xF1
#define simtSurfaceType2DLayered 0xF2
#define simtSurfaceTypeCubemapLayered 0xFC

/// Attributes of a texture reference. The members about mipmaps and anisotropy have no effect.
struct textureReference {
  int normalized = 0;
  simtTextureFilterMode filterMode = simtFilterModePoint;
  simtTextureAddressMode addressMode[3] = {simtAddressModeClamp, simtAddressModeClamp,
                                           simtAddressModeClamp};
  simtChannelFormatDesc channelDesc = {};
  int sRGB = 0;
  unsigned maxAnisotropy = 0;
  simtTextureFilterMode mipmapFilterMode = simtFilterModePoint;
  float mipmapLevelBias = 0;
  float minMipmapLevelClamp = 0;
  float maxMipmapLevelClamp = 0;
  int disableTrilinearOptimization = 0;
  // The runtime's own members. CUDA's functions take constant references.
  simtTextureReadMode simtrt_read_mode = simtReadModeElementType;
  mutable simtTextureObject_t simtrt_object = 0;
  mutable std::size_t simtrt_offset = 0;
};

template <class T, int kType = simtTextureType1D,
          simtTextureReadMode kMode = simtReadModeElementType>
struct texture : textureReference {
  texture(int is_normalized = 0, simtTextureFilterMode filter = simtFilterModePoint,
          simtTextureAddressMode address = simtAddressModeClamp)
      : texture(is_normalized, filter, address, simtCreateChannelDesc<T>()) {}
  texture(int is_normalized, simtTextureFilterMode filter, simtTextureAddressMode address,
          simtChannelFormatDesc format) {
    normalized = is_normalized;
    filterMode = filter;
    std::fill_n(addressMode, 3, address);
    channelDesc = format;
    simtrt_read_mode = kMode;
  }
};

struct surfaceReference {
  simtChannelFormatDesc channelDesc = {};
  mutable simtSurfaceObject_t simtrt_object = 0;
  /// The surface functions take objects.
  operator simtSurfaceObject_t() const { return simtrt_object; }
};

template <class T, int kType = simtSurfaceType1D>
struct surface : surfaceReference {};

namespace simtrt {

/// Waits for kernels that read the object of a reference, and destroys the object.
template <class Handle>
simtError_t unbind(Handle& object, simtError_t (*destroy)(Handle)) {
  if (object == 0) return simtSuccess;
  if (const simtError_t error = simtDeviceSynchronize()) return error;
  const Handle old = object;
  object = 0;
  return destroy(old);
}

inline simtError_t bind(const textureReference& reference, const simtResourceDesc& resource) {
  if (const simtError_t error = unbind(reference.simtrt_object, &simtDestroyTextureObject))
    return error;
  simtTextureDesc how{};
  std::copy_n(reference.addressMode, 3, how.addressMode);
  how.filterMode = reference.filterMode;
  how.readMode = reference.simtrt_read_mode;
  how.sRGB = reference.sRGB;
  how.normalizedCoords = reference.normalized;
  return simtCreateTextureObject(&reference.simtrt_object, &resource, &how, nullptr);
}

/// Rounds an address down to the alignment of textures. Returns false if the program does not take the difference.
inline bool align(const textureReference& reference, const void* memory, std::size_t* offset,
                  void** begin) {
  constexpr std::uintptr_t kAlignment = 512;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  reference.simtrt_offset = address % kAlignment;
  *begin = reinterpret_cast<void*>(address - reference.simtrt_offset);
  if (offset != nullptr) *offset = reference.simtrt_offset;
  return offset != nullptr || reference.simtrt_offset == 0;
}

/// Type of the result of a fetch: floats with the channels of T, or T itself.
template <class T, simtTextureReadMode kMode>
struct Fetched {
  using Type = T;
};
template <class T>
struct Fetched<T, simtReadModeNormalizedFloat> {
  static constexpr int kCount = Channels<T>::kCount;
  using Type = std::conditional_t<
      std::is_arithmetic_v<T>, float,
      std::conditional_t<kCount == 1, float1, std::conditional_t<kCount == 2, float2, float4>>>;
};

}  // namespace simtrt

inline simtError_t simtUnbindTexture(const textureReference* reference) {
  return reference == nullptr
             ? simtErrorInvalidTexture
             : simtrt::unbind(reference->simtrt_object, &simtDestroyTextureObject);
}
inline simtError_t simtBindTexture(std::size_t* offset, const textureReference* reference,
                                   const void* memory, const simtChannelFormatDesc* format,
                                   std::size_t bytes = UINT_MAX) {
  if (reference == nullptr) return simtErrorInvalidTexture;
  if (format == nullptr) return simtErrorInvalidValue;
  simtResourceDesc resource{};
  resource.resType = simtResourceTypeLinear;
  auto& linear = resource.res.linear;
  if (!simtrt::align(*reference, memory, offset, &linear.devPtr)) return simtErrorInvalidValue;
  linear.desc = *format;
  // The largest linear texture has 2^27 elements; UINT_MAX selects all of the memory.
  const std::size_t element = (format->x + format->y + format->z + format->w) / 8;
  linear.sizeInBytes = std::min(bytes, (std::size_t{1} << 27) * element - reference->simtrt_offset) +
                       reference->simtrt_offset;
  return simtrt::bind(*reference, resource);
}
inline simtError_t simtBindTexture2D(std::size_t* offset, const textureReference* reference,
                                     const void* memory, const simtChannelFormatDesc* format,
                                     std::size_t width, std::size_t height, std::size_t pitch) {
  if (reference == nullptr) return simtErrorInvalidTexture;
  if (format == nullptr) return simtErrorInvalidValue;
  simtResourceDesc resource{};
  resource.resType = simtResourceTypePitch2D;
  auto& pitched = resource.res.pitch2D;
  if (!simtrt::align(*reference, memory, offset, &pitched.devPtr)) return simtErrorInvalidValue;
  pitched.desc = *format;
  pitched.width = width;
  pitched.height = height;
  pitched.pitchInBytes = pitch;
  return simtrt::bind(*reference, resource);
}
inline simtError_t simtBindTextureToArray(const textureReference* reference,
                                          simtArray_const_t array,
                                          const simtChannelFormatDesc* format) {
  if (reference == nullptr) return simtErrorInvalidTexture;
  if (format == nullptr) return simtErrorInvalidValue;
  simtResourceDesc resource{};
  resource.resType = simtResourceTypeArray;
  resource.res.array.array = const_cast<simtArray_t>(array);
  reference->simtrt_offset = 0;
  return simtrt::bind(*reference, resource);
}
inline simtError_t simtGetTextureAlignmentOffset(std::size_t* offset,
                                                 const textureReference* reference) {
  if (offset == nullptr) return simtErrorInvalidValue;
  if (reference == nullptr) return simtErrorInvalidTexture;
  *offset = reference->simtrt_offset;
  return reference->simtrt_object == 0 ? simtErrorInvalidTextureBinding : simtSuccess;
}
/// The address of a texture is the address of its reference.
inline simtError_t simtGetTextureReference(const textureReference** reference, const void* symbol) {
  if (reference == nullptr || symbol == nullptr) return simtErrorInvalidValue;
  *reference = static_cast<const textureReference*>(symbol);
  return simtSuccess;
}
inline simtError_t simtBindSurfaceToArray(const surfaceReference* reference,
                                          simtArray_const_t array, const simtChannelFormatDesc*) {
  if (reference == nullptr) return simtErrorInvalidSurface;
  if (const simtError_t error =
          simtrt::unbind(reference->simtrt_object, &simtDestroySurfaceObject)) {
    return error;
  }
  simtResourceDesc resource{};
  resource.resType = simtResourceTypeArray;
  resource.res.array.array = const_cast<simtArray_t>(array);
  return simtCreateSurfaceObject(&reference->simtrt_object, &resource);
}

// Forms of C++, which know the type of the elements.
template <class T, int kType, simtTextureReadMode kMode>
simtError_t simtUnbindTexture(const texture<T, kType, kMode>& reference) {
  return simtUnbindTexture(&reference);
}
template <class T, int kType, simtTextureReadMode kMode>
simtError_t simtBindTexture(std::size_t* offset, const texture<T, kType, kMode>& reference,
                            const void* memory, const simtChannelFormatDesc& format,
                            std::size_t bytes = UINT_MAX) {
  return simtBindTexture(offset, &reference, memory, &format, bytes);
}
template <class T, int kType, simtTextureReadMode kMode>
simtError_t simtBindTexture(std::size_t* offset, const texture<T, kType, kMode>& reference,
                            const void* memory, std::size_t bytes = UINT_MAX) {
  return simtBindTexture(offset, &reference, memory, &reference.channelDesc, bytes);
}
template <class T, int kType, simtTextureReadMode kMode>
simtError_t simtBindTexture2D(std::size_t* offset, const texture<T, kType, kMode>& reference,
                              const void* memory, const simtChannelFormatDesc& format,
                              std::size_t width, std::size_t height, std::size_t pitch) {
  return simtBindTexture2D(offset, &reference, memory, &format, width, height, pitch);
}
template <class T, int kType, simtTextureReadMode kMode>
simtError_t simtBindTexture2D(std::size_t* offset, const texture<T, kType, kMode>& reference,
                              const void* memory, std::size_t width, std::size_t height,
                              std::size_t pitch) {
  return simtBindTexture2D(offset, &reference, memory, &reference.channelDesc, width, height,
                           pitch);
}
template <class T, int kType, simtTextureReadMode kMode>
simtError_t simtBindTextureToArray(const texture<T, kType, kMode>& reference,
                                   simtArray_const_t array, const simtChannelFormatDesc& format) {
  return simtBindTextureToArray(&reference, array, &format);
}
template <class T, int kType, simtTextureReadMode kMode>
simtError_t simtBindTextureToArray(const texture<T, kType, kMode>& reference,
                                   simtArray_const_t array) {
  return simtBindTextureToArray(&reference, array, &reference.channelDesc);
}
template <class T, int kType, simtTextureReadMode kMode>
simtError_t simtGetTextureAlignmentOffset(std::size_t* offset,
                                          const texture<T, kType, kMode>& reference) {
  return simtGetTextureAlignmentOffset(offset, &reference);
}
template <class T, int kType>
simtError_t simtBindSurfaceToArray(const surface<T, kType>& reference, simtArray_const_t array,
                                   const simtChannelFormatDesc& format) {
  return simtBindSurfaceToArray(&reference, array, &format);
}
template <class T, int kType>
simtError_t simtBindSurfaceToArray(const surface<T, kType>& reference, simtArray_const_t array) {
  return simtBindSurfaceToArray(&reference, array, nullptr);
}

// Fetches of kernels.
#define SIMT_REFERENCE(name, parameters, ...)                                                     \
  template <class T, simtTextureReadMode kMode>                                                   \
  typename simtrt::Fetched<T, kMode>::Type name parameters {                                      \
    return name<typename simtrt::Fetched<T, kMode>::Type>(reference.simtrt_object, __VA_ARGS__);  \
  }
#define SIMT_OF(type) const texture<T, type, kMode>& reference
SIMT_REFERENCE(tex1Dfetch, (SIMT_OF(simtTextureType1D), int x), x)
SIMT_REFERENCE(tex1D, (SIMT_OF(simtTextureType1D), float x), x)
SIMT_REFERENCE(tex2D, (SIMT_OF(simtTextureType2D), float x, float y), x, y)
SIMT_REFERENCE(tex3D, (SIMT_OF(simtTextureType3D), float x, float y, float z), x, y, z)
SIMT_REFERENCE(tex1DLayered, (SIMT_OF(simtTextureType1DLayered), float x, int layer), x, layer)
SIMT_REFERENCE(tex2DLayered, (SIMT_OF(simtTextureType2DLayered), float x, float y, int layer), x, y,
               layer)
SIMT_REFERENCE(texCubemap, (SIMT_OF(simtTextureTypeCubemap), float x, float y, float z), x, y, z)
SIMT_REFERENCE(texCubemapLayered,
               (SIMT_OF(simtTextureTypeCubemapLayered), float x, float y, float z, int layer), x, y,
               z, layer)
SIMT_REFERENCE(tex2Dgather, (SIMT_OF(simtTextureType2D), float x, float y, int channel = 0), x, y,
               channel)
#undef SIMT_OF
#undef SIMT_REFERENCE

#include <simtrt/kernel/letters_end.h>
