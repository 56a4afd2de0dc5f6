// Texture and surface functions of kernels. CUDA C++ Programming Guide, "Texture Functions",
// "Surface Functions" and "Texture Fetching". The functions of the library compute addresses and
// filter; the templates here convert the result.
//
// A function without a level of detail reads at level of detail 0 (PTX ISA, "tex": .base is the
// default). Gradients give the level of detail log2 of the longer of the two distances in texels.
//
// Ownership: the object is a handle; its array and memory belong to the program.
// Threads: any thread. Memory ordering: plain loads and stores, as in CUDA.
#pragma once

#include <simtrt/config.h>
#include <simtrt/texture/channels.h>

#include <cstddef>
#include <cstring>

namespace simtrt {

/// Four channels of a result. `kind` states the valid member.
struct Texel {
  simtChannelFormatKind kind;
  union {
    float f[4];
    int i[4];
    unsigned u[4];
  };
};

/// Kind of coordinates of a fetch.
enum class Fetch { k1D, k2D, k3D, k1DLayered, k2DLayered, kCubemap, kCubemapLayered };

/// Change of the coordinates from one pixel to the next.
struct Gradient {
  float x, y = 0, z = 0;
  Gradient(float dx) : x(dx) {}
  Gradient(float2 d) : x(d.x), y(d.y) {}
  Gradient(float4 d) : x(d.x), y(d.y), z(d.z) {}
};

/// Reads a texture. A call for an invalid object is a fault of the kernel.
SIMTRT_EXPORT Texel fetch(simtTextureObject_t object, Fetch kind, float x, float y, float z,
                          int layer, float level_of_detail);
SIMTRT_EXPORT Texel fetch(simtTextureObject_t object, Fetch kind, float x, float y, float z,
                          int layer, const Gradient& horizontal, const Gradient& vertical);
/// Reads an element of linear memory; 0 outside.
SIMTRT_EXPORT Texel fetch_element(simtTextureObject_t object, int index);
/// The channel `channel` of the four texels that a linear filter would combine.
SIMTRT_EXPORT Texel gather(simtTextureObject_t object, float x, float y, int channel);

/// Place of `size` bytes of a surface at byte `x` of a row; null for a place outside with
/// simtBoundaryModeZero. A place outside with simtBoundaryModeTrap is a fault of the kernel.
SIMTRT_EXPORT void* surface_place(simtSurfaceObject_t object, int x, int y, int z,
                                  std::size_t size, simtSurfaceBoundaryMode mode);

template <class T>
T from_texel(const Texel& texel) {
  using Value = typename Channels<T>::Value;
  Value values[4];
  for (int i = 0; i < Channels<T>::kCount; ++i) {
    values[i] = texel.kind == simtChannelFormatKindFloat    ? static_cast<Value>(texel.f[i])
                : texel.kind == simtChannelFormatKindSigned ? static_cast<Value>(texel.i[i])
                                                            : static_cast<Value>(texel.u[i]);
  }
  T result;
  std::memcpy(static_cast<void*>(&result), values, sizeof(T));
  return result;
}

template <class T>
T surface_read(simtSurfaceObject_t object, int x, int y, int z, simtSurfaceBoundaryMode mode) {
  T value{};
  if (const void* place = surface_place(object, x, y, z, sizeof(T), mode))
    std::memcpy(static_cast<void*>(&value), place, sizeof(T));
  return value;
}
template <class T>
void surface_write(T value, simtSurfaceObject_t object, int x, int y, int z,
                   simtSurfaceBoundaryMode mode) {
  if (void* place = surface_place(object, x, y, z, sizeof(T), mode))
    std::memcpy(place, static_cast<const void*>(&value), sizeof(T));
}

}  // namespace simtrt

// A texture function, and its form that writes the result through a pointer.
#define SIMT_TEXTURE(name, parameters, parameters_with_pointer, kind, ...)                    \
  template <class T>                                                                          \
  T name parameters {                                                                         \
    return simtrt::from_texel<T>(simtrt::fetch(object, simtrt::Fetch::kind, __VA_ARGS__));    \
  }                                                                                           \
  template <class T>                                                                          \
  void name parameters_with_pointer {                                                         \
    *result = simtrt::from_texel<T>(simtrt::fetch(object, simtrt::Fetch::kind, __VA_ARGS__)); \
  }
#define SIMT_COMMA ,
#define SIMT_OBJECT simtTextureObject_t object
// A texture function with its forms with a level of detail and with gradients.
#define SIMT_TEXTURES(name, coordinates, kind, gradient, ...)                                      \
  SIMT_TEXTURE(name, (SIMT_OBJECT, coordinates), (T * result, SIMT_OBJECT, coordinates), kind,     \
               __VA_ARGS__, 0.0f)                                                                  \
  SIMT_TEXTURE(name##Lod, (SIMT_OBJECT, coordinates, float level),                                 \
               (T * result, SIMT_OBJECT, coordinates, float level), kind, __VA_ARGS__, level)      \
  SIMT_TEXTURE(name##Grad, (SIMT_OBJECT, coordinates, gradient dx, gradient dy),                   \
               (T * result, SIMT_OBJECT, coordinates, gradient dx, gradient dy), kind, __VA_ARGS__, \
               dx, dy)

SIMT_TEXTURES(tex1D, float x, k1D, float, x, 0.0f, 0.0f, 0)
SIMT_TEXTURES(tex2D, float x SIMT_COMMA float y, k2D, float2, x, y, 0.0f, 0)
SIMT_TEXTURES(tex3D, float x SIMT_COMMA float y SIMT_COMMA float z, k3D, float4, x, y, z, 0)
SIMT_TEXTURES(tex1DLayered, float x SIMT_COMMA int layer, k1DLayered, float, x, 0.0f, 0.0f, layer)
SIMT_TEXTURES(tex2DLayered, float x SIMT_COMMA float y SIMT_COMMA int layer, k2DLayered, float2, x,
              y, 0.0f, layer)
SIMT_TEXTURES(texCubemap, float x SIMT_COMMA float y SIMT_COMMA float z, kCubemap, float4, x, y, z,
              0)
SIMT_TEXTURES(texCubemapLayered,
              float x SIMT_COMMA float y SIMT_COMMA float z SIMT_COMMA int layer, kCubemapLayered,
              float4, x, y, z, layer)

#undef SIMT_TEXTURES
#undef SIMT_OBJECT
#undef SIMT_COMMA
#undef SIMT_TEXTURE

template <class T>
T tex1Dfetch(simtTextureObject_t object, int x) {
  return simtrt::from_texel<T>(simtrt::fetch_element(object, x));
}
template <class T>
void tex1Dfetch(T* result, simtTextureObject_t object, int x) {
  *result = tex1Dfetch<T>(object, x);
}
template <class T>
T tex2Dgather(simtTextureObject_t object, float x, float y, int channel = 0) {
  return simtrt::from_texel<T>(simtrt::gather(object, x, y, channel));
}

// Surface functions; `x` counts bytes.
#define SIMT_SURFACE(name, coordinates, ...)                                                    \
  template <class T>                                                                            \
  T name##read coordinates {                                                                    \
    return simtrt::surface_read<T>(object, __VA_ARGS__, mode);                                  \
  }
#define SIMT_MODE simtSurfaceBoundaryMode mode = simtBoundaryModeTrap
SIMT_SURFACE(surf1D, (simtSurfaceObject_t object, int x, SIMT_MODE), x, 0, 0)
SIMT_SURFACE(surf2D, (simtSurfaceObject_t object, int x, int y, SIMT_MODE), x, y, 0)
SIMT_SURFACE(surf3D, (simtSurfaceObject_t object, int x, int y, int z, SIMT_MODE), x, y, z)
SIMT_SURFACE(surf1DLayered, (simtSurfaceObject_t object, int x, int layer, SIMT_MODE), x, 0, layer)
SIMT_SURFACE(surf2DLayered, (simtSurfaceObject_t object, int x, int y, int layer, SIMT_MODE), x, y,
             layer)
SIMT_SURFACE(surfCubemap, (simtSurfaceObject_t object, int x, int y, int face, SIMT_MODE), x, y,
             face)
SIMT_SURFACE(surfCubemapLayered,
             (simtSurfaceObject_t object, int x, int y, int layer_face, SIMT_MODE), x, y,
             layer_face)
#undef SIMT_SURFACE
#define SIMT_SURFACE(name, coordinates, ...)                    \
  template <class T>                                            \
  void name##write coordinates {                                \
    simtrt::surface_write<T>(value, object, __VA_ARGS__, mode); \
  }
SIMT_SURFACE(surf1D, (T value, simtSurfaceObject_t object, int x, SIMT_MODE), x, 0, 0)
SIMT_SURFACE(surf2D, (T value, simtSurfaceObject_t object, int x, int y, SIMT_MODE), x, y, 0)
SIMT_SURFACE(surf3D, (T value, simtSurfaceObject_t object, int x, int y, int z, SIMT_MODE), x, y, z)
SIMT_SURFACE(surf1DLayered, (T value, simtSurfaceObject_t object, int x, int layer, SIMT_MODE), x,
             0, layer)
SIMT_SURFACE(surf2DLayered,
             (T value, simtSurfaceObject_t object, int x, int y, int layer, SIMT_MODE), x, y, layer)
SIMT_SURFACE(surfCubemap,
             (T value, simtSurfaceObject_t object, int x, int y, int face, SIMT_MODE), x, y, face)
SIMT_SURFACE(surfCubemapLayered,
             (T value, simtSurfaceObject_t object, int x, int y, int layer_face, SIMT_MODE), x, y,
             layer_face)
#undef SIMT_SURFACE
#undef SIMT_MODE

template <class T>
void surf1Dread(T* result, simtSurfaceObject_t object, int x,
                simtSurfaceBoundaryMode mode = simtBoundaryModeTrap) {
  *result = surf1Dread<T>(object, x, mode);
}
template <class T>
void surf2Dread(T* result, simtSurfaceObject_t object, int x, int y,
                simtSurfaceBoundaryMode mode = simtBoundaryModeTrap) {
  *result = surf2Dread<T>(object, x, y, mode);
}
template <class T>
void surf3Dread(T* result, simtSurfaceObject_t object, int x, int y, int z,
                simtSurfaceBoundaryMode mode = simtBoundaryModeTrap) {
  *result = surf3Dread<T>(object, x, y, z, mode);
}
