// Arrays and mipmapped arrays of the driver API. CUDA Driver API, "Memory Management".
#include "driver_test.h"

namespace {

using Bytes = std::vector<unsigned char>;

constexpr auto kBad = SIMT_DRV_ERROR_INVALID_VALUE;

// Layouts of 64-bit hosts (CUDA 12.4, cuda.h), on which programs in other languages rely.
static_assert(sizeof(SIMT_DRV_ARRAY_DESCRIPTOR) == 24 && sizeof(SIMT_DRV_ARRAY3D_DESCRIPTOR) == 40);

void check_description(const SIMT_DRV_ARRAY3D_DESCRIPTOR& wanted) {
  const DriverArray array(wanted);
  SIMT_DRV_ARRAY3D_DESCRIPTOR found{};
  REQUIRE_DRV(simtDrvArray3DGetDescriptor(&found, array));
  CHECK_EQ(found.Width, wanted.Width);
  CHECK_EQ(found.Height, wanted.Height);
  CHECK_EQ(found.Depth, wanted.Depth);
  CHECK_EQ(found.Format, wanted.Format);
  CHECK_EQ(found.NumChannels, wanted.NumChannels);
  CHECK_EQ(found.Flags, wanted.Flags);
}

simtDrvResult create(const SIMT_DRV_ARRAY3D_DESCRIPTOR& descriptor) {
  simtDrvArray array = nullptr;
  const simtDrvResult result = simtDrvArray3DCreate(&array, &descriptor);
  if (result == SIMT_DRV_SUCCESS) simtDrvArrayDestroy(array);
  return result;
}

}  // namespace

TEST_CASE("descriptions of arrays") {
  for (const auto format :
       {SIMT_DRV_AD_FORMAT_UNSIGNED_INT8, SIMT_DRV_AD_FORMAT_UNSIGNED_INT16,
        SIMT_DRV_AD_FORMAT_UNSIGNED_INT32, SIMT_DRV_AD_FORMAT_SIGNED_INT8,
        SIMT_DRV_AD_FORMAT_SIGNED_INT16, SIMT_DRV_AD_FORMAT_SIGNED_INT32, SIMT_DRV_AD_FORMAT_HALF,
        SIMT_DRV_AD_FORMAT_FLOAT}) {
    for (const unsigned channels : {1u, 2u, 4u})
      check_description(shape(5, 3, 0, format, channels));
  }
  check_description(shape(7, 0, 0));
  check_description(shape(4, 3, 2));
  check_description(shape(4, 0, 3, SIMT_DRV_AD_FORMAT_HALF, 2, SIMT_DRV_ARRAY3D_LAYERED));
  constexpr unsigned cubes =
      SIMT_DRV_ARRAY3D_CUBEMAP | SIMT_DRV_ARRAY3D_LAYERED | SIMT_DRV_ARRAY3D_SURFACE_LDST;
  check_description(shape(4, 4, 12, SIMT_DRV_AD_FORMAT_FLOAT, 1, cubes));

  const SIMT_DRV_ARRAY_DESCRIPTOR flat{6, 2, SIMT_DRV_AD_FORMAT_SIGNED_INT16, 4};
  simtDrvArray array = nullptr;
  REQUIRE_DRV(simtDrvArrayCreate(&array, &flat));
  SIMT_DRV_ARRAY_DESCRIPTOR found{};
  CHECK_DRV(simtDrvArrayGetDescriptor(&found, array));
  CHECK_EQ(found.Width, 6u);
  CHECK_EQ(found.Height, 2u);
  CHECK_EQ(found.Format, flat.Format);
  CHECK_EQ(found.NumChannels, 4u);
  // The same array in the runtime API.
  simtChannelFormatDesc format{};
  simtExtent extent{};
  CHECK_OK(simtArrayGetInfo(&format, &extent, nullptr, reinterpret_cast<simtArray_t>(array)));
  CHECK_EQ(format.w, 16);
  CHECK_EQ(extent.width, 6u);
  CHECK_OK(simtFreeArray(reinterpret_cast<simtArray_t>(array)));
  CHECK_EQ(simtDrvArrayGetDescriptor(&found, array), SIMT_DRV_ERROR_INVALID_HANDLE);
  CHECK_EQ(simtDrvArrayDestroy(array), SIMT_DRV_ERROR_INVALID_HANDLE);
  CHECK_EQ(simtDrvArrayDestroy(nullptr), SIMT_DRV_ERROR_INVALID_HANDLE);
}

TEST_CASE("arrays that cannot be created") {
  simtGetLastError();
  constexpr auto u8 = SIMT_DRV_AD_FORMAT_UNSIGNED_INT8;
  CHECK_EQ(create(shape(0, 4, 0)), kBad);
  CHECK_EQ(create(shape(4, 0, 4)), kBad);  // only layered arrays have a depth without a height
  CHECK_EQ(create(shape(131073, 0, 0)), kBad);
  CHECK_EQ(create(shape(4, 4, 0, u8, 3)), kBad);
  CHECK_EQ(create(shape(4, 4, 0, u8, 0)), kBad);
  CHECK_EQ(create(shape(4, 4, 0, static_cast<simtDrvArray_format>(0x04))), kBad);
  CHECK_EQ(create(shape(4, 4, 5, u8, 1, SIMT_DRV_ARRAY3D_CUBEMAP)), kBad);
  CHECK_EQ(create(shape(4, 4, 0, u8, 1, 0x10)), kBad);
  for (const auto format : {SIMT_DRV_AD_FORMAT_NV12, SIMT_DRV_AD_FORMAT_UNORM_INT8X4,
                            SIMT_DRV_AD_FORMAT_BC7_UNORM_SRGB}) {
    CHECK_EQ(create(shape(4, 4, 0, format)), SIMT_DRV_ERROR_NOT_SUPPORTED);
  }
  simtDrvArray array = nullptr;
  const SIMT_DRV_ARRAY_DESCRIPTOR flat{4, 4, u8, 1};
  const auto deep = shape(4, 4, 4);
  CHECK_EQ(simtDrvArrayCreate(nullptr, &flat), kBad);
  CHECK_EQ(simtDrvArrayCreate(&array, nullptr), kBad);
  CHECK_EQ(simtDrvArray3DCreate(nullptr, &deep), kBad);
  CHECK_EQ(simtDrvArray3DCreate(&array, nullptr), kBad);
  CHECK_EQ(simtDrvArray3DGetDescriptor(nullptr, array), kBad);
  CHECK_EQ(simtDrvArrayGetDescriptor(nullptr, array), kBad);
  CHECK_OK(simtGetLastError());
}

TEST_CASE("levels of mipmapped arrays") {
  const auto descriptor = shape(8, 4, 0);
  simtDrvMipmappedArray array = nullptr;
  simtDrvArray level = nullptr;
  SIMT_DRV_ARRAY_DESCRIPTOR found{};
  REQUIRE_DRV(simtDrvMipmappedArrayCreate(&array, &descriptor, 99));
  REQUIRE_DRV(simtDrvMipmappedArrayGetLevel(&level, array, 3));
  REQUIRE_DRV(simtDrvArrayGetDescriptor(&found, level));
  CHECK_EQ(found.Width, 1u);
  CHECK_EQ(found.Height, 1u);
  REQUIRE_DRV(simtDrvMipmappedArrayGetLevel(&level, array, 1));
  const Bytes bytes{1, 2, 3, 4, 5, 6, 7, 8};
  Bytes read(8);
  REQUIRE_DRV(simtDrvMemcpyHtoA(level, 0, bytes.data(), 8));
  REQUIRE_DRV(simtDrvMemcpyAtoH(read.data(), level, 0, 8));
  CHECK_EQ(read, bytes);
  CHECK_EQ(simtDrvArrayDestroy(level), kBad);
  CHECK_EQ(simtDrvMipmappedArrayGetLevel(&level, array, 4), kBad);
  CHECK_EQ(simtDrvMipmappedArrayGetLevel(nullptr, array, 0), kBad);
  CHECK_EQ(simtDrvMipmappedArrayCreate(nullptr, &descriptor, 1), kBad);
  CHECK_EQ(simtDrvMipmappedArrayCreate(&array, nullptr, 1), kBad);
  CHECK_DRV(simtDrvMipmappedArrayDestroy(array));
  CHECK_EQ(simtDrvMipmappedArrayDestroy(array), SIMT_DRV_ERROR_INVALID_HANDLE);
  CHECK_EQ(simtDrvMipmappedArrayGetLevel(&level, array, 0), SIMT_DRV_ERROR_INVALID_HANDLE);
}
