// Texture and surface objects of the driver API. CUDA Driver API, "Texture Object Management".
#include "driver_test.h"

#include <cstddef>
#include <cstdint>

namespace {

// Layouts of 64-bit hosts (CUDA 12.4, cuda.h).
static_assert(sizeof(SIMT_DRV_RESOURCE_DESC) == 144 && offsetof(SIMT_DRV_RESOURCE_DESC, flags) == 136);
static_assert(sizeof(SIMT_DRV_TEXTURE_DESC) == 104 &&
              offsetof(SIMT_DRV_TEXTURE_DESC, borderColor) == 40);
static_assert(sizeof(SIMT_DRV_RESOURCE_VIEW_DESC) == 112);

using Floats = std::vector<float>;

SIMT_DRV_RESOURCE_DESC resource_of(simtDrvArray array) {
  SIMT_DRV_RESOURCE_DESC made{};
  made.resType = SIMT_DRV_RESOURCE_TYPE_ARRAY;
  made.res.array.hArray = array;
  return made;
}

/// Texture that exists until the end of the test.
class TestTexture {
 public:
  TestTexture(const SIMT_DRV_RESOURCE_DESC& resource, const SIMT_DRV_TEXTURE_DESC& how,
              const SIMT_DRV_RESOURCE_VIEW_DESC* view = nullptr) {
    REQUIRE_DRV(simtDrvTexObjectCreate(&object_, &resource, &how, view));
  }
  TestTexture(const TestTexture&) = delete;
  TestTexture& operator=(const TestTexture&) = delete;
  ~TestTexture() { simtDrvTexObjectDestroy(object_); }
  simtDrvTexObject object() const { return object_; }

 private:
  simtDrvTexObject object_ = 0;
};

SIMT_DRV_TEXTURE_DESC clamped(unsigned flags = 0,
                              simtDrvFilter_mode filter = SIMT_DRV_TR_FILTER_MODE_POINT) {
  SIMT_DRV_TEXTURE_DESC how{};
  for (auto& mode : how.addressMode) mode = SIMT_DRV_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = filter;
  how.flags = flags;
  return how;
}

// Results of read(x) in a kernel, one thread for each number.
template <class Read>
__global__ void run(Read read, const float* numbers, float* out) {
  out[threadIdx.x] = read(numbers[threadIdx.x]);
}
template <class Read>
Floats each(const Floats& numbers, Read read) {
  const DeviceArray<float> in(numbers), out(numbers.size());
  SIMT_LAUNCH((run<Read>), (1), (static_cast<unsigned>(numbers.size())), (0), (0), read, in.data(),
              out.data());
  REQUIRE_FINISHED();
  return out.values();
}

__global__ void invert(simtDrvSurfObject object) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  surf2Dwrite(-surf2Dread<float>(object, x * 4, y), object, x * 4, y);
}

const std::vector<unsigned char> kBytes{0, 51, 255, 102, 255, 0, 51, 153};
constexpr auto kBad = SIMT_DRV_ERROR_INVALID_VALUE;

}  // namespace

TEST_CASE("filters and addresses of an array of floats") {
  const DriverArray array(shape(4, 1, 0, SIMT_DRV_AD_FORMAT_FLOAT), Floats{0, 256, 0, 64});
  const TestTexture linear(resource_of(array), clamped(0, SIMT_DRV_TR_FILTER_MODE_LINEAR));
  CHECK_EQ(each({0.5f, 1.0f, 1.5f, 9.0f},
                [t = linear.object()](float x) { return tex2D<float>(t, x, 0.5f); }),
           Floats{0, 128, 256, 64});
  auto wrapping = clamped(SIMT_DRV_TRSF_NORMALIZED_COORDINATES);
  wrapping.addressMode[0] = SIMT_DRV_TR_ADDRESS_MODE_WRAP;
  const TestTexture wrapped(resource_of(array), wrapping);
  CHECK_EQ(each({0.3f, 1.3f, -0.1f},
                [t = wrapped.object()](float x) { return tex2D<float>(t, x, 0.5f); }),
           Floats{256, 256, 64});
  auto bordered = clamped();
  bordered.addressMode[0] = SIMT_DRV_TR_ADDRESS_MODE_BORDER;
  bordered.borderColor[0] = 5;
  const TestTexture border(resource_of(array), bordered);
  CHECK_EQ(each({-1.0f, 1.5f, 4.5f},
                [t = border.object()](float x) { return tex2D<float>(t, x, 0.5f); }),
           Floats{5, 256, 5});
}

TEST_CASE("integers of 8 and 16 bits become floats unless they are read as integers") {
  const DriverArray bytes(shape(2, 1, 0, SIMT_DRV_AD_FORMAT_UNSIGNED_INT8, 4), kBytes);
  const TestTexture promoted(resource_of(bytes), clamped());
  CHECK_EQ(each({0.5f, 1.5f}, [t = promoted.object()](float x) { return tex2D<float4>(t, x, 0).y; }),
           Floats{51.0f / 255, 0});
  const TestTexture kept(resource_of(bytes), clamped(SIMT_DRV_TRSF_READ_AS_INTEGER));
  CHECK_EQ(each({0.5f, 1.5f}, [t = kept.object()](float x) -> float {
             return tex2D<uchar4>(t, x, 0).w;
           }),
           Floats{102, 153});
  const DriverArray shorts(shape(2, 1, 0, SIMT_DRV_AD_FORMAT_SIGNED_INT16),
                           std::vector<short>{-32767, 16384});
  const TestTexture from_shorts(resource_of(shorts), clamped());
  CHECK_EQ(each({0.5f, 1.5f}, [t = from_shorts.object()](float x) { return tex2D<float>(t, x, 0); }),
           Floats{-1, 16384.0f / 32767});
  // Elements of 32 bits are not promoted.
  const DriverArray words(shape(2, 1, 0, SIMT_DRV_AD_FORMAT_SIGNED_INT32),
                          std::vector<int>{-7, 8});
  const TestTexture from_words(resource_of(words), clamped());
  CHECK_EQ(each({0.5f, 1.5f}, [t = from_words.object()](float x) -> float {
             return static_cast<float>(tex2D<int>(t, x, 0));
           }),
           Floats{-7, 8});
}

TEST_CASE("the format of a view decides about promotion") {
  const std::vector<std::uint32_t> values{0xFF660033, 0x99000000};
  const DriverArray words(shape(2, 1, 0, SIMT_DRV_AD_FORMAT_UNSIGNED_INT32), values);
  SIMT_DRV_RESOURCE_VIEW_DESC view{};
  view.format = SIMT_DRV_RES_VIEW_FORMAT_UINT_4X8;
  view.width = 2;
  view.height = 1;
  const TestTexture texture(resource_of(words), clamped(), &view);
  CHECK_EQ(each({0.5f, 1.5f}, [t = texture.object()](float x) { return tex2D<float4>(t, x, 0).w; }),
           Floats{1, 153.0f / 255});
  SIMT_DRV_RESOURCE_VIEW_DESC found{};
  CHECK_DRV(simtDrvTexObjectGetResourceViewDesc(&found, texture.object()));
  CHECK_EQ(found.format, view.format);
  CHECK_EQ(found.width, 2u);
  CHECK_EQ(found.lastLayer, 0u);
  view.format = SIMT_DRV_RES_VIEW_FORMAT_UNSIGNED_BC1;
  simtDrvTexObject object = 0;
  const auto resource = resource_of(words);
  const auto how = clamped();
  CHECK_EQ(simtDrvTexObjectCreate(&object, &resource, &how, &view), SIMT_DRV_ERROR_NOT_SUPPORTED);
  view.format = SIMT_DRV_RES_VIEW_FORMAT_UINT_4X8;
  view.width = 3;
  CHECK_EQ(simtDrvTexObjectCreate(&object, &resource, &how, &view), kBad);
}

TEST_CASE("textures of linear memory and of memory with a pitch") {
  const DeviceArray<float> numbers(Floats{1, 2, 3, 4});
  SIMT_DRV_RESOURCE_DESC linear{};
  linear.resType = SIMT_DRV_RESOURCE_TYPE_LINEAR;
  linear.res.linear.devPtr = device_pointer(numbers.data());
  linear.res.linear.format = SIMT_DRV_AD_FORMAT_FLOAT;
  linear.res.linear.numChannels = 1;
  linear.res.linear.sizeInBytes = numbers.bytes();
  const TestTexture in_line(linear, clamped());
  CHECK_EQ(each({0, 3, 4}, [t = in_line.object()](float x) {
             return tex1Dfetch<float>(t, static_cast<int>(x));
           }),
           Floats{1, 4, 0});

  simtDrvDeviceptr rows = 0;
  std::size_t pitch = 0;
  REQUIRE_DRV(simtDrvMemAllocPitch(&rows, &pitch, 2 * sizeof(float), 2, sizeof(float)));
  const Floats host{1, 2, 3, 4};
  SIMT_DRV_MEMCPY2D copy{};
  copy.srcMemoryType = SIMT_DRV_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = copy.WidthInBytes = 2 * sizeof(float);
  copy.dstMemoryType = SIMT_DRV_MEMORYTYPE_DEVICE;
  copy.dstDevice = rows;
  copy.dstPitch = pitch;
  copy.Height = 2;
  REQUIRE_DRV(simtDrvMemcpy2D(&copy));
  SIMT_DRV_RESOURCE_DESC pitched{};
  pitched.resType = SIMT_DRV_RESOURCE_TYPE_PITCH2D;
  auto& plane = pitched.res.pitch2D;
  plane.devPtr = rows;
  plane.format = SIMT_DRV_AD_FORMAT_FLOAT;
  plane.numChannels = 1;
  plane.width = plane.height = 2;
  plane.pitchInBytes = pitch;
  const TestTexture in_rows(pitched, clamped(0, SIMT_DRV_TR_FILTER_MODE_LINEAR));
  CHECK_EQ(each({0.5f, 1.0f, 1.5f},
                [t = in_rows.object()](float y) { return tex2D<float>(t, 1.0f, y); }),
           Floats{1.5f, 2.5f, 3.5f});

  SIMT_DRV_RESOURCE_DESC found{};
  CHECK_DRV(simtDrvTexObjectGetResourceDesc(&found, in_line.object()));
  CHECK_EQ(found.resType, SIMT_DRV_RESOURCE_TYPE_LINEAR);
  CHECK_EQ(found.res.linear.devPtr, linear.res.linear.devPtr);
  CHECK_EQ(found.res.linear.format, SIMT_DRV_AD_FORMAT_FLOAT);
  CHECK_EQ(found.res.linear.numChannels, 1u);
  CHECK_EQ(found.res.linear.sizeInBytes, numbers.bytes());
  CHECK_DRV(simtDrvTexObjectGetResourceDesc(&found, in_rows.object()));
  CHECK_EQ(found.resType, SIMT_DRV_RESOURCE_TYPE_PITCH2D);
  CHECK_EQ(found.res.pitch2D.devPtr, rows);
  CHECK_EQ(found.res.pitch2D.height, 2u);
  CHECK_EQ(found.res.pitch2D.pitchInBytes, pitch);

  simtDrvTexObject object = 0;
  const auto how = clamped();
  plane.pitchInBytes = pitch + 4;
  CHECK_EQ(simtDrvTexObjectCreate(&object, &pitched, &how, nullptr), kBad);
  linear.res.linear.devPtr += 4;
  CHECK_EQ(simtDrvTexObjectCreate(&object, &linear, &how, nullptr), kBad);
  linear.res.linear.devPtr = device_pointer(host.data());
  CHECK_EQ(simtDrvTexObjectCreate(&object, &linear, &how, nullptr), kBad);
  linear.res.linear.numChannels = 3;
  CHECK_EQ(simtDrvTexObjectCreate(&object, &linear, &how, nullptr), kBad);
  REQUIRE_DRV(simtDrvMemFree(rows));
}

TEST_CASE("levels of detail of a mipmapped array") {
  const auto descriptor = shape(2, 2, 0, SIMT_DRV_AD_FORMAT_FLOAT);
  simtDrvMipmappedArray pyramid = nullptr;
  REQUIRE_DRV(simtDrvMipmappedArrayCreate(&pyramid, &descriptor, 2));
  for (unsigned number = 0; number < 2; ++number) {
    simtDrvArray level = nullptr;
    REQUIRE_DRV(simtDrvMipmappedArrayGetLevel(&level, pyramid, number));
    const Floats values(4, 100.0f * static_cast<float>(number));
    REQUIRE_DRV(simtDrvMemcpyHtoA(level, 0, values.data(), number == 0 ? 16 : 4));
  }
  SIMT_DRV_RESOURCE_DESC resource{};
  resource.resType = SIMT_DRV_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = pyramid;
  auto how = clamped(SIMT_DRV_TRSF_NORMALIZED_COORDINATES);
  how.mipmapFilterMode = SIMT_DRV_TR_FILTER_MODE_LINEAR;
  how.maxMipmapLevelClamp = 1;
  {
    const TestTexture texture(resource, how);
    CHECK_EQ(each({0, 0.25f, 3},
                  [t = texture.object()](float lod) { return tex2DLod<float>(t, 0.5f, 0.5f, lod); }),
             Floats{0, 25, 100});
    SIMT_DRV_RESOURCE_DESC found{};
    CHECK_DRV(simtDrvTexObjectGetResourceDesc(&found, texture.object()));
    CHECK_EQ(found.res.mipmap.hMipmappedArray, pyramid);
  }
  simtDrvTexObject object = 0;
  how.flags = 0;
  CHECK_EQ(simtDrvTexObjectCreate(&object, &resource, &how, nullptr), kBad);
  REQUIRE_DRV(simtDrvMipmappedArrayDestroy(pyramid));
  how.flags = SIMT_DRV_TRSF_NORMALIZED_COORDINATES;
  CHECK_EQ(simtDrvTexObjectCreate(&object, &resource, &how, nullptr),
           SIMT_DRV_ERROR_INVALID_HANDLE);
}

TEST_CASE("the description of a texture comes back") {
  const DriverArray array(shape(2, 1, 0, SIMT_DRV_AD_FORMAT_SIGNED_INT32), std::vector<int>{1, 2});
  for (const unsigned flags :
       {0u, 1u, 2u, 0x10u, 0x20u, 0x40u,
        unsigned{SIMT_DRV_TRSF_READ_AS_INTEGER | SIMT_DRV_TRSF_NORMALIZED_COORDINATES |
                 SIMT_DRV_TRSF_SRGB | SIMT_DRV_TRSF_DISABLE_TRILINEAR_OPTIMIZATION |
                 SIMT_DRV_TRSF_SEAMLESS_CUBEMAP}}) {
    SIMT_DRV_TEXTURE_DESC how = clamped(flags);
    how.addressMode[1] = SIMT_DRV_TR_ADDRESS_MODE_MIRROR;
    how.addressMode[2] = SIMT_DRV_TR_ADDRESS_MODE_BORDER;
    how.maxAnisotropy = 4;
    how.mipmapLevelBias = 0.5f;
    how.minMipmapLevelClamp = 1;
    how.maxMipmapLevelClamp = 3;
    how.borderColor[3] = 2;
    const TestTexture texture(resource_of(array), how);
    SIMT_DRV_TEXTURE_DESC found{};
    REQUIRE_DRV(simtDrvTexObjectGetTextureDesc(&found, texture.object()));
    CHECK_EQ(found.flags, flags);
    CHECK_EQ(found.addressMode[0], SIMT_DRV_TR_ADDRESS_MODE_CLAMP);
    CHECK_EQ(found.addressMode[2], SIMT_DRV_TR_ADDRESS_MODE_BORDER);
    CHECK_EQ(found.filterMode, SIMT_DRV_TR_FILTER_MODE_POINT);
    CHECK_EQ(found.maxAnisotropy, 4u);
    CHECK_EQ(found.mipmapLevelBias, 0.5f);
    CHECK_EQ(found.minMipmapLevelClamp, 1);
    CHECK_EQ(found.maxMipmapLevelClamp, 3);
    CHECK_EQ(found.borderColor[3], 2);
    SIMT_DRV_RESOURCE_VIEW_DESC view{};
    CHECK_EQ(simtDrvTexObjectGetResourceViewDesc(&view, texture.object()), kBad);
  }
}

TEST_CASE("both APIs have the same objects") {
  const DriverArray array(shape(2, 1, 0, SIMT_DRV_AD_FORMAT_UNSIGNED_INT8, 4), kBytes);
  const TestTexture texture(resource_of(array), clamped());
  simtTextureDesc how{};
  simtResourceDesc resource{};
  CHECK_OK(simtGetTextureObjectTextureDesc(&how, texture.object()));
  CHECK_EQ(how.readMode, simtReadModeNormalizedFloat);
  CHECK_OK(simtGetTextureObjectResourceDesc(&resource, texture.object()));
  CHECK_EQ(reinterpret_cast<simtDrvArray>(resource.res.array.array), simtDrvArray(array));

  how.readMode = simtReadModeElementType;
  simtTextureObject_t object = 0;
  REQUIRE_OK(simtCreateTextureObject(&object, &resource, &how, nullptr));
  SIMT_DRV_TEXTURE_DESC found{};
  CHECK_DRV(simtDrvTexObjectGetTextureDesc(&found, object));
  CHECK_EQ(found.flags, unsigned{SIMT_DRV_TRSF_READ_AS_INTEGER});
  CHECK_DRV(simtDrvTexObjectDestroy(object));
  CHECK_EQ(simtDrvTexObjectGetTextureDesc(&found, object), kBad);
}

TEST_CASE("surfaces read and write arrays of the driver API") {
  const DriverArray array(
      shape(3, 2, 0, SIMT_DRV_AD_FORMAT_FLOAT, 1, SIMT_DRV_ARRAY3D_SURFACE_LDST),
      Floats{1, 2, 3, 4, 5, 6});
  SIMT_DRV_RESOURCE_DESC resource = resource_of(array);
  simtDrvSurfObject object = 0;
  REQUIRE_DRV(simtDrvSurfObjectCreate(&object, &resource));
  SIMT_LAUNCH((invert), (1), (dim3(3, 2)), (0), (0), object);
  REQUIRE_FINISHED();
  Floats out(6);
  REQUIRE_DRV(simtDrvMemcpyAtoH(out.data(), array, 0, 24));
  CHECK_EQ(out, Floats{-1, -2, -3, -4, -5, -6});
  SIMT_DRV_RESOURCE_DESC found{};
  CHECK_DRV(simtDrvSurfObjectGetResourceDesc(&found, object));
  CHECK_EQ(found.resType, SIMT_DRV_RESOURCE_TYPE_ARRAY);
  CHECK_EQ(found.res.array.hArray, simtDrvArray(array));
  CHECK_EQ(simtDrvSurfObjectGetResourceDesc(nullptr, object), kBad);
  CHECK_DRV(simtDrvSurfObjectDestroy(object));
  CHECK_EQ(simtDrvSurfObjectGetResourceDesc(&found, object), kBad);

  CHECK_EQ(simtDrvSurfObjectCreate(nullptr, &resource), kBad);
  CHECK_EQ(simtDrvSurfObjectCreate(&object, nullptr), kBad);
  resource.flags = 1;
  CHECK_EQ(simtDrvSurfObjectCreate(&object, &resource), kBad);
  resource.flags = 0;
  resource.res.array.hArray = nullptr;
  CHECK_EQ(simtDrvSurfObjectCreate(&object, &resource), SIMT_DRV_ERROR_INVALID_HANDLE);
  resource.resType = SIMT_DRV_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  CHECK_EQ(simtDrvSurfObjectCreate(&object, &resource), kBad);
}

TEST_CASE("textures that cannot be created") {
  simtGetLastError();
  const DriverArray array(shape(2, 1, 0, SIMT_DRV_AD_FORMAT_SIGNED_INT32), std::vector<int>{1, 2});
  simtDrvTexObject object = 0;
  const auto create = [&](const SIMT_DRV_RESOURCE_DESC& resource,
                          const SIMT_DRV_TEXTURE_DESC& how) {
    return simtDrvTexObjectCreate(&object, &resource, &how, nullptr);
  };
  const auto good = clamped();
  SIMT_DRV_RESOURCE_DESC resource = resource_of(array);
  CHECK_EQ(simtDrvTexObjectCreate(nullptr, &resource, &good, nullptr), kBad);
  CHECK_EQ(simtDrvTexObjectCreate(&object, nullptr, &good, nullptr), kBad);
  CHECK_EQ(simtDrvTexObjectCreate(&object, &resource, nullptr, nullptr), kBad);
  CHECK_EQ(create(resource, clamped(0x80)), kBad);
  CHECK_EQ(create(resource, clamped(0, SIMT_DRV_TR_FILTER_MODE_LINEAR)), kBad);
  SIMT_DRV_TEXTURE_DESC how = good;
  how.addressMode[1] = static_cast<simtDrvAddress_mode>(4);
  CHECK_EQ(create(resource, how), kBad);
  resource.flags = 2;
  CHECK_EQ(create(resource, good), kBad);
  resource.flags = 0;
  resource.resType = static_cast<simtDrvResourcetype>(4);
  CHECK_EQ(create(resource, good), kBad);
  resource.resType = SIMT_DRV_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = nullptr;
  CHECK_EQ(create(resource, good), SIMT_DRV_ERROR_INVALID_HANDLE);
  resource.resType = SIMT_DRV_RESOURCE_TYPE_LINEAR;
  resource.res.linear.format = SIMT_DRV_AD_FORMAT_UNORM_INT8X4;
  resource.res.linear.numChannels = 4;
  CHECK_EQ(create(resource, good), SIMT_DRV_ERROR_NOT_SUPPORTED);
  SIMT_DRV_TEXTURE_DESC found{};
  CHECK_EQ(simtDrvTexObjectGetTextureDesc(&found, 0), kBad);
  CHECK_EQ(simtDrvTexObjectGetTextureDesc(nullptr, object), kBad);
  CHECK_DRV(simtDrvTexObjectDestroy(0));
  CHECK_OK(simtGetLastError());
}
