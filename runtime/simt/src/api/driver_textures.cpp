// Texture and surface objects of the driver API. The enumerators of both APIs have the same numbers.
#include "api/call.h"
#include "api/driver_arrays.h"
#include "api/driver_pointers.h"
#include "api/driver_result.h"
#include "api/textures.h"

#include <algorithm>
#include <cstdint>
#include <optional>

using namespace simtrt;

namespace {

constexpr unsigned kKnownFlags =
    SIMT_DRV_TRSF_READ_AS_INTEGER | SIMT_DRV_TRSF_NORMALIZED_COORDINATES | SIMT_DRV_TRSF_SRGB |
    SIMT_DRV_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | SIMT_DRV_TRSF_SEAMLESS_CUBEMAP;

simtError_t runtime_resource(const SIMT_DRV_RESOURCE_DESC& resource, simtResourceDesc* made) {
  if (resource.flags != 0) return simtErrorInvalidValue;
  made->resType = static_cast<simtResourceType>(resource.resType);
  switch (resource.resType) {
    case SIMT_DRV_RESOURCE_TYPE_ARRAY:
      made->res.array.array = runtime_array(resource.res.array.hArray);
      return simtSuccess;
    case SIMT_DRV_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      made->res.mipmap.mipmap = runtime_array(resource.res.mipmap.hMipmappedArray);
      return simtSuccess;
    case SIMT_DRV_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      made->res.linear.devPtr = address_of(linear.devPtr);
      made->res.linear.sizeInBytes = linear.sizeInBytes;
      return runtime_format(linear.format, linear.numChannels, &made->res.linear.desc);
    }
    case SIMT_DRV_RESOURCE_TYPE_PITCH2D: {
      const auto& pitched = resource.res.pitch2D;
      made->res.pitch2D.devPtr = address_of(pitched.devPtr);
      made->res.pitch2D.width = pitched.width;
      made->res.pitch2D.height = pitched.height;
      made->res.pitch2D.pitchInBytes = pitched.pitchInBytes;
      return runtime_format(pitched.format, pitched.numChannels, &made->res.pitch2D.desc);
    }
    default: return simtErrorInvalidValue;
  }
}

SIMT_DRV_RESOURCE_DESC driver_resource(const simtResourceDesc& resource) {
  SIMT_DRV_RESOURCE_DESC made{};
  made.resType = static_cast<simtDrvResourcetype>(resource.resType);
  switch (resource.resType) {
    case simtResourceTypeArray:
      made.res.array.hArray = driver_array(resource.res.array.array);
      break;
    case simtResourceTypeMipmappedArray:
      made.res.mipmap.hMipmappedArray = driver_array(resource.res.mipmap.mipmap);
      break;
    case simtResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      made.res.linear.devPtr = device_pointer(linear.devPtr);
      made.res.linear.sizeInBytes = linear.sizeInBytes;
      driver_format(linear.desc, &made.res.linear.format, &made.res.linear.numChannels);
      break;
    }
    case simtResourceTypePitch2D: {
      const auto& pitched = resource.res.pitch2D;
      made.res.pitch2D.devPtr = device_pointer(pitched.devPtr);
      made.res.pitch2D.width = pitched.width;
      made.res.pitch2D.height = pitched.height;
      made.res.pitch2D.pitchInBytes = pitched.pitchInBytes;
      driver_format(pitched.desc, &made.res.pitch2D.format, &made.res.pitch2D.numChannels);
      break;
    }
  }
  return made;
}

simtTextureDesc runtime_texture(const SIMT_DRV_TEXTURE_DESC& texture) {
  const auto has = [&](unsigned flag) { return (texture.flags & flag) != 0; };
  simtTextureDesc made{};
  std::transform(texture.addressMode, texture.addressMode + 3, made.addressMode,
                 [](simtDrvAddress_mode mode) { return static_cast<simtTextureAddressMode>(mode); });
  made.filterMode = static_cast<simtTextureFilterMode>(texture.filterMode);
  made.readMode = has(SIMT_DRV_TRSF_READ_AS_INTEGER) ? simtReadModeElementType
                                                     : simtReadModeNormalizedFloat;
  made.sRGB = has(SIMT_DRV_TRSF_SRGB);
  std::copy_n(texture.borderColor, 4, made.borderColor);
  made.normalizedCoords = has(SIMT_DRV_TRSF_NORMALIZED_COORDINATES);
  made.maxAnisotropy = texture.maxAnisotropy;
  made.mipmapFilterMode = static_cast<simtTextureFilterMode>(texture.mipmapFilterMode);
  made.mipmapLevelBias = texture.mipmapLevelBias;
  made.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  made.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  made.disableTrilinearOptimization = has(SIMT_DRV_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
  made.seamlessCubemap = has(SIMT_DRV_TRSF_SEAMLESS_CUBEMAP);
  return made;
}

SIMT_DRV_TEXTURE_DESC driver_texture(const simtTextureDesc& texture) {
  SIMT_DRV_TEXTURE_DESC made{};
  std::transform(texture.addressMode, texture.addressMode + 3, made.addressMode,
                 [](simtTextureAddressMode mode) { return static_cast<simtDrvAddress_mode>(mode); });
  made.filterMode = static_cast<simtDrvFilter_mode>(texture.filterMode);
  const auto set = [&](unsigned flag, bool is_set) { made.flags |= is_set ? flag : 0; };
  set(SIMT_DRV_TRSF_READ_AS_INTEGER, texture.readMode == simtReadModeElementType);
  set(SIMT_DRV_TRSF_NORMALIZED_COORDINATES, texture.normalizedCoords != 0);
  set(SIMT_DRV_TRSF_SRGB, texture.sRGB != 0);
  set(SIMT_DRV_TRSF_DISABLE_TRILINEAR_OPTIMIZATION, texture.disableTrilinearOptimization != 0);
  set(SIMT_DRV_TRSF_SEAMLESS_CUBEMAP, texture.seamlessCubemap != 0);
  made.maxAnisotropy = texture.maxAnisotropy;
  made.mipmapFilterMode = static_cast<simtDrvFilter_mode>(texture.mipmapFilterMode);
  made.mipmapLevelBias = texture.mipmapLevelBias;
  made.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  made.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  std::copy_n(texture.borderColor, 4, made.borderColor);
  return made;
}

simtResourceViewDesc runtime_view(const SIMT_DRV_RESOURCE_VIEW_DESC& view) {
  return {static_cast<simtResourceViewFormat>(view.format),
          view.width,
          view.height,
          view.depth,
          view.firstMipmapLevel,
          view.lastMipmapLevel,
          view.firstLayer,
          view.lastLayer};
}

// Stores the converted result of get(&description), a function of the runtime API.
template <class Description, class Result, class Get, class Convert>
simtDrvResult describe(Result* result_place, Get get, Convert convert) {
  if (result_place == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  Description found{};
  const simtDrvResult error = result([&] { return get(&found); });
  if (error == SIMT_DRV_SUCCESS) *result_place = convert(found);
  return error;
}

}  // namespace

simtDrvResult simtDrvTexObjectCreate(simtDrvTexObject* object,
                                     const SIMT_DRV_RESOURCE_DESC* resource,
                                     const SIMT_DRV_TEXTURE_DESC* texture,
                                     const SIMT_DRV_RESOURCE_VIEW_DESC* view) {
  if (object == nullptr || resource == nullptr || texture == nullptr ||
      (texture->flags & ~kKnownFlags) != 0) {
    return SIMT_DRV_ERROR_INVALID_VALUE;
  }
  return result([&] {
    return call([&] {
      simtResourceDesc memory{};
      if (const simtError_t error = runtime_resource(*resource, &memory)) return error;
      std::optional<simtResourceViewDesc> part;
      if (view != nullptr) part = runtime_view(*view);
      return make_texture(object, memory, runtime_texture(*texture), part ? &*part : nullptr,
                          WideElements::kKept);
    });
  });
}
simtDrvResult simtDrvTexObjectDestroy(simtDrvTexObject object) {
  return result([&] { return simtDestroyTextureObject(object); });
}
simtDrvResult simtDrvTexObjectGetResourceDesc(SIMT_DRV_RESOURCE_DESC* resource,
                                              simtDrvTexObject object) {
  return describe<simtResourceDesc>(
      resource,
      [=](simtResourceDesc* found) { return simtGetTextureObjectResourceDesc(found, object); },
      driver_resource);
}
simtDrvResult simtDrvTexObjectGetTextureDesc(SIMT_DRV_TEXTURE_DESC* texture,
                                             simtDrvTexObject object) {
  return describe<simtTextureDesc>(
      texture,
      [=](simtTextureDesc* found) { return simtGetTextureObjectTextureDesc(found, object); },
      driver_texture);
}
simtDrvResult simtDrvTexObjectGetResourceViewDesc(SIMT_DRV_RESOURCE_VIEW_DESC* view,
                                                  simtDrvTexObject object) {
  return describe<simtResourceViewDesc>(
      view,
      [=](simtResourceViewDesc* found) {
        return simtGetTextureObjectResourceViewDesc(found, object);
      },
      [](const simtResourceViewDesc& found) {
        return SIMT_DRV_RESOURCE_VIEW_DESC{static_cast<simtDrvResourceViewFormat>(found.format),
                                           found.width,
                                           found.height,
                                           found.depth,
                                           found.firstMipmapLevel,
                                           found.lastMipmapLevel,
                                           found.firstLayer,
                                           found.lastLayer,
                                           {}};
      });
}

simtDrvResult simtDrvSurfObjectCreate(simtDrvSurfObject* object,
                                      const SIMT_DRV_RESOURCE_DESC* resource) {
  if (object == nullptr || resource == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return result([&] {
    simtResourceDesc memory{};
    const simtError_t error = runtime_resource(*resource, &memory);
    return error != simtSuccess ? error : simtCreateSurfaceObject(object, &memory);
  });
}
simtDrvResult simtDrvSurfObjectDestroy(simtDrvSurfObject object) {
  return result([&] { return simtDestroySurfaceObject(object); });
}
simtDrvResult simtDrvSurfObjectGetResourceDesc(SIMT_DRV_RESOURCE_DESC* resource,
                                               simtDrvSurfObject object) {
  return describe<simtResourceDesc>(
      resource,
      [=](simtResourceDesc* found) { return simtGetSurfaceObjectResourceDesc(found, object); },
      driver_resource);
}
