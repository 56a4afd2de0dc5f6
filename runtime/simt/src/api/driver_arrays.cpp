// Arrays and mipmapped arrays of the driver API.
#include "api/driver_arrays.h"

#include "api/array_handles.h"
#include "api/call.h"
#include "api/driver_result.h"

#include <algorithm>
#include <iterator>

using namespace simtrt;

namespace {

struct Channel {
  simtDrvArray_format format;
  int bits;
  simtChannelFormatKind kind;
};

constexpr Channel kChannels[] = {
    {SIMT_DRV_AD_FORMAT_UNSIGNED_INT8, 8, simtChannelFormatKindUnsigned},
    {SIMT_DRV_AD_FORMAT_UNSIGNED_INT16, 16, simtChannelFormatKindUnsigned},
    {SIMT_DRV_AD_FORMAT_UNSIGNED_INT32, 32, simtChannelFormatKindUnsigned},
    {SIMT_DRV_AD_FORMAT_SIGNED_INT8, 8, simtChannelFormatKindSigned},
    {SIMT_DRV_AD_FORMAT_SIGNED_INT16, 16, simtChannelFormatKindSigned},
    {SIMT_DRV_AD_FORMAT_SIGNED_INT32, 32, simtChannelFormatKindSigned},
    {SIMT_DRV_AD_FORMAT_HALF, 16, simtChannelFormatKindFloat},
    {SIMT_DRV_AD_FORMAT_FLOAT, 32, simtChannelFormatKindFloat},
};

// Formats of CUDA that this target lacks: block-compressed, planar and normalised ones.
bool is_lacking(simtDrvArray_format format) {
  return (format >= SIMT_DRV_AD_FORMAT_BC1_UNORM && format <= SIMT_DRV_AD_FORMAT_BC7_UNORM_SRGB) ||
         format == SIMT_DRV_AD_FORMAT_NV12 ||
         (format >= SIMT_DRV_AD_FORMAT_UNORM_INT8X1 && format <= SIMT_DRV_AD_FORMAT_SNORM_INT16X4);
}

// Runs make(format, extent), which creates an array.
template <class Make>
simtDrvResult create(const SIMT_DRV_ARRAY3D_DESCRIPTOR* descriptor, Make make) {
  if (descriptor == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return result([&] {
    simtChannelFormatDesc format{};
    const simtError_t error = runtime_format(descriptor->Format, descriptor->NumChannels, &format);
    return error != simtSuccess ? error
                                : make(format, make_simtExtent(descriptor->Width, descriptor->Height,
                                                               descriptor->Depth));
  });
}

}  // namespace

simtError_t simtrt::runtime_format(simtDrvArray_format format, unsigned channels,
                                   simtChannelFormatDesc* result) {
  if (is_lacking(format)) return simtErrorNotSupported;
  const auto found = std::find_if(std::begin(kChannels), std::end(kChannels),
                                  [=](const Channel& one) { return one.format == format; });
  if (found == std::end(kChannels) || (channels != 1 && channels != 2 && channels != 4))
    return simtErrorInvalidValue;
  const int bits = found->bits, second = channels > 1 ? bits : 0, others = channels > 2 ? bits : 0;
  *result = {bits, second, others, others, found->kind};
  return simtSuccess;
}

void simtrt::driver_format(const simtChannelFormatDesc& format, simtDrvArray_format* result,
                           unsigned* channels) {
  const auto found =
      std::find_if(std::begin(kChannels), std::end(kChannels), [&](const Channel& one) {
        return one.bits == format.x && one.kind == format.f;
      });
  *result = found->format;  // Arrays and textures have no other formats (is_supported).
  *channels = format.y == 0 ? 1 : format.z == 0 ? 2 : 4;
}

simtDrvResult simtDrvArrayCreate(simtDrvArray* array, const SIMT_DRV_ARRAY_DESCRIPTOR* descriptor) {
  if (descriptor == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  const SIMT_DRV_ARRAY3D_DESCRIPTOR flat{descriptor->Width,  descriptor->Height,      0,
                                         descriptor->Format, descriptor->NumChannels, 0};
  return simtDrvArray3DCreate(array, &flat);
}
simtDrvResult simtDrvArray3DCreate(simtDrvArray* array,
                                   const SIMT_DRV_ARRAY3D_DESCRIPTOR* descriptor) {
  if (array == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return create(descriptor, [&](const simtChannelFormatDesc& format, const simtExtent& extent) {
    simtArray_t made = nullptr;
    const simtError_t error = simtMalloc3DArray(&made, &format, extent, descriptor->Flags);
    if (error == simtSuccess) *array = driver_array(made);
    return error;
  });
}
simtDrvResult simtDrvArray3DGetDescriptor(SIMT_DRV_ARRAY3D_DESCRIPTOR* descriptor,
                                          simtDrvArray array) {
  if (descriptor == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return result([&] {
    simtChannelFormatDesc format{};
    simtExtent extent{};
    unsigned flags = 0;
    if (const simtError_t error = simtArrayGetInfo(&format, &extent, &flags, runtime_array(array)))
      return error;
    descriptor->Width = extent.width;
    descriptor->Height = extent.height;
    descriptor->Depth = extent.depth;
    driver_format(format, &descriptor->Format, &descriptor->NumChannels);
    descriptor->Flags = flags;
    return simtSuccess;
  });
}
simtDrvResult simtDrvArrayGetDescriptor(SIMT_DRV_ARRAY_DESCRIPTOR* descriptor, simtDrvArray array) {
  if (descriptor == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  SIMT_DRV_ARRAY3D_DESCRIPTOR all{};
  const simtDrvResult error = simtDrvArray3DGetDescriptor(&all, array);
  if (error == SIMT_DRV_SUCCESS) *descriptor = {all.Width, all.Height, all.Format, all.NumChannels};
  return error;
}
simtDrvResult simtDrvArrayDestroy(simtDrvArray array) {
  return result([&] {
    return call([&] {
      const auto found = arrays().find(runtime_array(array));
      return found == nullptr ? simtErrorInvalidResourceHandle : simtFreeArray(runtime_array(array));
    });
  });
}

simtDrvResult simtDrvMipmappedArrayCreate(simtDrvMipmappedArray* array,
                                          const SIMT_DRV_ARRAY3D_DESCRIPTOR* descriptor,
                                          unsigned levels) {
  if (array == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return create(descriptor, [&](const simtChannelFormatDesc& format, const simtExtent& extent) {
    simtMipmappedArray_t made = nullptr;
    const simtError_t error =
        simtMallocMipmappedArray(&made, &format, extent, levels, descriptor->Flags);
    if (error == simtSuccess) *array = driver_array(made);
    return error;
  });
}
simtDrvResult simtDrvMipmappedArrayGetLevel(simtDrvArray* level, simtDrvMipmappedArray array,
                                            unsigned number) {
  if (level == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return result([&] {
    simtArray_t found = nullptr;
    const simtError_t error = simtGetMipmappedArrayLevel(&found, runtime_array(array), number);
    if (error == simtSuccess) *level = driver_array(found);
    return error;
  });
}
simtDrvResult simtDrvMipmappedArrayDestroy(simtDrvMipmappedArray array) {
  return result([&] {
    return call([&] {
      const auto found = mipmapped_arrays().find(runtime_array(array));
      return found == nullptr ? simtErrorInvalidResourceHandle
                              : simtFreeMipmappedArray(runtime_array(array));
    });
  });
}
