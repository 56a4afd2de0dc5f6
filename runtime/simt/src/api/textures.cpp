// Texture and surface objects.
#include "api/array_handles.h"
#include "api/call.h"
#include "api/resource_views.h"
#include "api/textures.h"

#include "device_limits.h"
#include "memory/memory.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

using namespace simtrt;

namespace {

Handles<simtTextureObject_t, Texture>& textures() {
  static auto& handles = *new Handles<simtTextureObject_t, Texture>();
  return handles;
}
Handles<simtSurfaceObject_t, Surface>& surfaces() {
  static auto& handles = *new Handles<simtSurfaceObject_t, Surface>();
  return handles;
}

// Limits of textures in linear memory: elements, and rows.
constexpr std::size_t kMaxLinearTexture = std::size_t{1} << 27;
constexpr std::size_t kMaxPitchedHeight = 65000;

bool is_texture_memory(const void* begin) {
  return is_known(begin) && reinterpret_cast<std::uintptr_t>(begin) % kTextureAlignment == 0;
}

// Enumerators that a program has cast from other numbers.
bool are_modes(const simtTextureDesc& how) {
  const auto is_address_mode = [](simtTextureAddressMode mode) {
    return mode >= simtAddressModeWrap && mode <= simtAddressModeBorder;
  };
  const auto is_filter_mode = [](simtTextureFilterMode mode) {
    return mode == simtFilterModePoint || mode == simtFilterModeLinear;
  };
  return std::all_of(how.addressMode, how.addressMode + 3, is_address_mode) &&
         is_filter_mode(how.filterMode) && is_filter_mode(how.mipmapFilterMode);
}

// The image of linear memory.
simtError_t image_of(const simtResourceDesc& resource, Image* image) {
  switch (resource.resType) {
    case simtResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      image->begin = static_cast<char*>(linear.devPtr);
      image->format = linear.desc;
      if (!is_supported(image->format)) return simtErrorInvalidChannelDescriptor;
      image->width = linear.sizeInBytes / image->element_bytes();
      image->pitch = image->slice = linear.sizeInBytes;
      if (image->width > kMaxLinearTexture || !is_texture_memory(linear.devPtr))
        return simtErrorInvalidValue;
      break;
    }
    case simtResourceTypePitch2D: {
      const auto& pitched = resource.res.pitch2D;
      image->begin = static_cast<char*>(pitched.devPtr);
      image->format = pitched.desc;
      if (!is_supported(image->format)) return simtErrorInvalidChannelDescriptor;
      image->width = pitched.width;
      image->height = pitched.height;
      image->pitch = pitched.pitchInBytes;
      image->slice = image->pitch * image->height;
      if (image->pitch < image->width * image->element_bytes() ||
          image->pitch % kTexturePitchAlignment != 0 || image->height > kMaxPitchedHeight ||
          !is_texture_memory(pitched.devPtr)) {
        return simtErrorInvalidValue;
      }
      break;
    }
    default: return simtErrorInvalidValue;
  }
  return image->begin == nullptr || image->width == 0 || image->height == 0 ? simtErrorInvalidValue
                                                                            : simtSuccess;
}

// The array of a texture, or level 0 of its mipmapped array; null for an invalid handle.
std::shared_ptr<simtArray> array_of(const simtResourceDesc& resource) {
  if (resource.resType == simtResourceTypeArray) return arrays().find(resource.res.array.array);
  const auto mipmapped = mipmapped_arrays().find(resource.res.mipmap.mipmap);
  return mipmapped == nullptr ? nullptr : arrays().find(mipmapped->levels.front());
}

simtError_t set_arrays(const simtResourceDesc& resource, const simtResourceViewDesc* view,
                       Texture* texture) {
  const auto array = array_of(resource);
  if (array == nullptr) return simtErrorInvalidResourceHandle;
  texture->image = array->image;
  if (resource.resType == simtResourceTypeMipmappedArray) {
    if (texture->how.normalizedCoords == 0) return simtErrorInvalidValue;
    const auto mipmapped = mipmapped_arrays().find(resource.res.mipmap.mipmap);
    for (std::size_t level = 1; level < mipmapped->levels.size(); ++level)
      texture->smaller.push_back(arrays().find(mipmapped->levels[level])->image);
  }
  if (view == nullptr) return simtSuccess;
  texture->view = *view;
  return apply_view(*view, array->extent, array->flags, texture);
}

simtError_t set_images(const simtResourceDesc& resource, const simtResourceViewDesc* view,
                       Texture* texture) {
  if (resource.resType == simtResourceTypeArray ||
      resource.resType == simtResourceTypeMipmappedArray) {
    return set_arrays(resource, view, texture);
  }
  return view != nullptr ? simtErrorInvalidValue : image_of(resource, &texture->image);
}

// Conversions and filters that the format permits.
simtError_t set_reads(WideElements wide, Texture* texture) {
  const simtTextureDesc& how = texture->how;
  const simtChannelFormatDesc& format = texture->image.format;
  const bool is_normalized = how.readMode == simtReadModeNormalizedFloat, is_wide = format.x == 32;
  if (is_normalized && is_wide && wide == WideElements::kRejected)
    return simtErrorInvalidNormSetting;
  texture->promotes = is_normalized && !is_wide;
  const bool filters = how.filterMode == simtFilterModeLinear ||
                       (!texture->smaller.empty() && how.mipmapFilterMode == simtFilterModeLinear);
  return filters && !texture->promotes && format.f != simtChannelFormatKindFloat
             ? simtErrorInvalidFilterSetting
             : simtSuccess;
}

template <class Object>
simtTextureObject_t handle_of(const Object* object) {
  return reinterpret_cast<simtTextureObject_t>(object);
}

}  // namespace

simtError_t simtrt::make_texture(simtTextureObject_t* object, const simtResourceDesc& resource,
                                 const simtTextureDesc& how, const simtResourceViewDesc* view,
                                 WideElements wide) {
  if (!are_modes(how)) return simtErrorInvalidValue;
  auto texture = std::make_shared<Texture>();
  texture->how = how;
  texture->resource = resource;
  if (const simtError_t error = set_images(resource, view, texture.get())) return error;
  if (const simtError_t error = set_reads(wide, texture.get())) return error;
  *object = handle_of(texture.get());
  textures().add(*object, std::move(texture));
  return simtSuccess;
}

simtError_t simtCreateTextureObject(simtTextureObject_t* object, const simtResourceDesc* resource,
                                    const simtTextureDesc* how, const simtResourceViewDesc* view) {
  return call([&] {
    if (object == nullptr || resource == nullptr) return simtErrorInvalidValue;
    if (how == nullptr) return simtErrorInvalidResourceHandle;
    return make_texture(object, *resource, *how, view, WideElements::kRejected);
  });
}
simtError_t simtDestroyTextureObject(simtTextureObject_t object) {
  return call([&] {
    textures().remove(object);  // CUDA accepts handles of no object
    return simtSuccess;
  });
}
simtError_t simtGetTextureObjectResourceDesc(simtResourceDesc* resource,
                                             simtTextureObject_t object) {
  return call([&] {
    const auto texture = textures().find(object);
    if (resource == nullptr || texture == nullptr) return simtErrorInvalidValue;
    *resource = texture->resource;
    return simtSuccess;
  });
}
simtError_t simtGetTextureObjectTextureDesc(simtTextureDesc* how, simtTextureObject_t object) {
  return call([&] {
    const auto texture = textures().find(object);
    if (how == nullptr || texture == nullptr) return simtErrorInvalidValue;
    *how = texture->how;
    return simtSuccess;
  });
}
simtError_t simtGetTextureObjectResourceViewDesc(simtResourceViewDesc* view,
                                                 simtTextureObject_t object) {
  return call([&] {
    const auto texture = textures().find(object);
    if (view == nullptr || texture == nullptr || !texture->view) return simtErrorInvalidValue;
    *view = *texture->view;
    return simtSuccess;
  });
}
simtError_t simtCreateSurfaceObject(simtSurfaceObject_t* object, const simtResourceDesc* resource) {
  return call([&] {
    if (object == nullptr || resource == nullptr || resource->resType != simtResourceTypeArray)
      return simtErrorInvalidValue;
    auto surface = std::make_shared<Surface>();
    surface->resource = *resource;
    const auto array = array_of(*resource);
    if (array == nullptr) return simtErrorInvalidResourceHandle;
    surface->image = array->image;
    *object = handle_of(surface.get());
    surfaces().add(*object, std::move(surface));
    return simtSuccess;
  });
}
simtError_t simtDestroySurfaceObject(simtSurfaceObject_t object) {
  return call([&] {
    surfaces().remove(object);
    return simtSuccess;
  });
}
simtError_t simtGetSurfaceObjectResourceDesc(simtResourceDesc* resource,
                                             simtSurfaceObject_t object) {
  return call([&] {
    const auto surface = surfaces().find(object);
    if (resource == nullptr || surface == nullptr) return simtErrorInvalidValue;
    *resource = surface->resource;
    return simtSuccess;
  });
}
