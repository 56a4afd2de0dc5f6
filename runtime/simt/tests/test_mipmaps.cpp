// Mipmapped arrays, levels of detail, and views of arrays. CUDA Runtime API, "Texture Object Management"; CUDA C++
// Programming Guide, "Texture Functions".
#include "kernel_test.h"

namespace {

/// Mipmapped array of floats. Each element of level n, layer or face m is 100 * n + m.
class Pyramid {
 public:
  Pyramid(simtExtent extent, unsigned levels, unsigned flags = simtArrayDefault) {
    const simtChannelFormatDesc format = simtCreateChannelDesc<float>();
    REQUIRE_OK(simtMallocMipmappedArray(&array_, &format, extent, levels, flags));
    for (unsigned n = 0; n < levels; ++n) fill(level(n), 100.0f * static_cast<float>(n));
  }
  Pyramid(const Pyramid&) = delete;
  Pyramid& operator=(const Pyramid&) = delete;
  ~Pyramid() { simtFreeMipmappedArray(array_); }

  simtArray_t level(unsigned n) const {
    simtArray_t found = nullptr;
    REQUIRE_OK(simtGetMipmappedArrayLevel(&found, array_, n));
    return found;
  }
  simtResourceDesc resource() const {
    simtResourceDesc described{};
    described.resType = simtResourceTypeMipmappedArray;
    described.res.mipmap.mipmap = array_;
    return described;
  }

 private:
  static void fill(simtArray_t level, float first) {
    simtExtent extent{};
    unsigned flags = 0;
    REQUIRE_OK(simtArrayGetInfo(nullptr, &extent, &flags, level));
    const std::size_t rows = std::max<std::size_t>(extent.height, 1);
    const std::size_t slices = std::max<std::size_t>(extent.depth, 1);
    std::vector<float> values;
    for (std::size_t slice = 0; slice < slices; ++slice) {
      const bool is_layer = (flags & (simtArrayLayered | simtArrayCubemap)) != 0;
      values.insert(values.end(), extent.width * rows,
                    first + (is_layer ? static_cast<float>(slice) : 0));
    }
    simtMemcpy3DParms copy{};
    copy.srcPtr = make_simtPitchedPtr(values.data(), extent.width * 4, extent.width, rows);
    copy.dstArray = level;
    copy.extent = make_simtExtent(extent.width, rows, slices);
    copy.kind = simtMemcpyHostToDevice;
    REQUIRE_OK(simtMemcpy3D(&copy));
  }

  simtMipmappedArray_t array_ = nullptr;
};

simtTextureDesc description(simtTextureFilterMode between_levels) {
  simtTextureDesc how{};
  for (auto& mode : how.addressMode) mode = simtAddressModeClamp;
  how.normalizedCoords = 1;
  how.mipmapFilterMode = between_levels;
  how.maxMipmapLevelClamp = 100;
  return how;
}

/// Texture that exists until the end of the test.
class PyramidTexture {
 public:
  PyramidTexture(const simtResourceDesc& resource, const simtTextureDesc& how,
                 const simtResourceViewDesc* view = nullptr) {
    REQUIRE_OK(simtCreateTextureObject(&object_, &resource, &how, view));
  }
  PyramidTexture(const PyramidTexture&) = delete;
  PyramidTexture& operator=(const PyramidTexture&) = delete;
  ~PyramidTexture() { simtDestroyTextureObject(object_); }
  simtTextureObject_t object() const { return object_; }

 private:
  simtTextureObject_t object_ = 0;
};

using Floats = std::vector<float>;

template <class Read>
__global__ void read_all(Read read, const float* at, float* out) {
  out[threadIdx.x] = read(at[threadIdx.x]);
}

/// Results of `read(number)` in a kernel for each of the numbers.
template <class Read>
Floats each(const Floats& numbers, Read read) {
  const DeviceArray<float> at(numbers), out(numbers.size());
  SIMT_LAUNCH((read_all<Read>), (1), (static_cast<unsigned>(numbers.size())), (0), (0), read,
              at.data(), out.data());
  REQUIRE_FINISHED();
  return out.values();
}

Floats levels_of_detail(const PyramidTexture& texture, const Floats& numbers) {
  const simtTextureObject_t object = texture.object();
  return each(numbers, [=](float lod) { return tex2DLod<float>(object, 0.5f, 0.5f, lod); });
}

TEST_CASE("sizes of the levels of a mipmapped array") {
  const auto sizes = [](simtExtent extent, unsigned flags, unsigned level) {
    const Pyramid pyramid(extent, level + 1, flags);
    simtExtent found{};
    REQUIRE_OK(simtArrayGetInfo(nullptr, &found, nullptr, pyramid.level(level)));
    return std::vector<std::size_t>{found.width, found.height, found.depth};
  };
  using Sizes = std::vector<std::size_t>;
  CHECK_EQ(sizes(make_simtExtent(16, 6, 0), 0, 1), Sizes{8, 3, 0});
  CHECK_EQ(sizes(make_simtExtent(16, 6, 0), 0, 4), Sizes{1, 1, 0});
  CHECK_EQ(sizes(make_simtExtent(4, 8, 9), 0, 2), Sizes{1, 2, 2});
  CHECK_EQ(sizes(make_simtExtent(8, 0, 0), 0, 2), Sizes{2, 0, 0});
  CHECK_EQ(sizes(make_simtExtent(8, 8, 5), simtArrayLayered, 2), Sizes{2, 2, 5});
  CHECK_EQ(sizes(make_simtExtent(8, 8, 6), simtArrayCubemap, 3), Sizes{1, 1, 6});
}

TEST_CASE("the number of levels is limited to those down to one element") {
  const simtChannelFormatDesc format = simtCreateChannelDesc<float>();
  simtMipmappedArray_t array = nullptr;
  simtArray_t level = nullptr;
  REQUIRE_OK(simtMallocMipmappedArray(&array, &format, make_simtExtent(5, 17, 0), 99));
  CHECK_OK(simtGetMipmappedArrayLevel(&level, array, 4));
  CHECK_EQ(simtGetMipmappedArrayLevel(&level, array, 5), simtErrorInvalidValue);
  CHECK_EQ(simtFreeArray(level), simtErrorInvalidValue);
  CHECK_OK(simtFreeMipmappedArray(array));
  CHECK_EQ(simtFreeMipmappedArray(array), simtErrorInvalidValue);
  CHECK_EQ(simtGetMipmappedArrayLevel(&level, array, 0), simtErrorInvalidResourceHandle);
  REQUIRE_OK(simtMallocMipmappedArray(&array, &format, make_simtExtent(5, 17, 0), 0));
  CHECK_OK(simtGetMipmappedArrayLevel(&level, array, 0));
  CHECK_OK(simtFreeMipmappedArray(array));
  CHECK_OK(simtFreeMipmappedArray(nullptr));
  CHECK_EQ(simtMallocMipmappedArray(nullptr, &format, make_simtExtent(4, 4, 0), 2),
           simtErrorInvalidValue);
  CHECK_EQ(simtMallocMipmappedArray(&array, &format, make_simtExtent(0, 4, 0), 2),
           simtErrorInvalidValue);
  simtGetLastError();
}

TEST_CASE("the level of detail selects a level or mixes two levels") {
  const Pyramid pyramid(make_simtExtent(8, 8, 0), 4);
  const Floats lods{-2, 0, 0.25f, 0.75f, 1.5f, 2.001f, 3, 9, NAN};
  const PyramidTexture nearest(pyramid.resource(), description(simtFilterModePoint));
  CHECK_EQ(levels_of_detail(nearest, lods), Floats{0, 0, 0, 100, 200, 200, 300, 300, 0});
  const PyramidTexture mixed(pyramid.resource(), description(simtFilterModeLinear));
  CHECK_EQ(levels_of_detail(mixed, lods), Floats{0, 0, 25, 75, 150, 200, 300, 300, 0});
}

TEST_CASE("bias and clamps of the level of detail") {
  const Pyramid pyramid(make_simtExtent(8, 8, 0), 4);
  simtTextureDesc how = description(simtFilterModeLinear);
  how.mipmapLevelBias = 0.5f;
  how.minMipmapLevelClamp = 1;
  how.maxMipmapLevelClamp = 2.25f;
  const PyramidTexture texture(pyramid.resource(), how);
  CHECK_EQ(levels_of_detail(texture, {0, 1, 1.5f, 3}), Floats{100, 150, 200, 225});
  how = {};
  how.normalizedCoords = 1;
  const PyramidTexture base(pyramid.resource(), how);  // maxMipmapLevelClamp is 0
  CHECK_EQ(levels_of_detail(base, {0, 2, 3}), Floats{0, 0, 0});
}

TEST_CASE("functions without a level of detail read level 0") {
  const Pyramid pyramid(make_simtExtent(8, 8, 0), 4);
  const PyramidTexture texture(pyramid.resource(), description(simtFilterModeLinear));
  const simtTextureObject_t object = texture.object();
  CHECK_EQ(each({0.5f}, [=](float x) { return tex2D<float>(object, x, x); }), Floats{0});
}

TEST_CASE("levels of detail of one and three dimensions, layers and cubes") {
  const Floats lods{0, 1, 1.5f};
  const simtTextureDesc how = description(simtFilterModeLinear);
  const auto read = [&](const Pyramid& pyramid, auto function) {
    const PyramidTexture texture(pyramid.resource(), how);
    return each(lods, [=, object = texture.object()](float lod) { return function(object, lod); });
  };
  const Pyramid line(make_simtExtent(8, 0, 0), 3), volume(make_simtExtent(8, 8, 8), 3);
  CHECK_EQ(read(line, [](simtTextureObject_t t, float lod) { return tex1DLod<float>(t, 0.5f, lod); }),
           Floats{0, 100, 150});
  CHECK_EQ(read(volume, [](simtTextureObject_t t, float lod) {
             return tex3DLod<float>(t, 0.5f, 0.5f, 0.5f, lod);
           }),
           Floats{0, 100, 150});
  const Pyramid lines(make_simtExtent(8, 0, 3), 3, simtArrayLayered);
  CHECK_EQ(read(lines, [](simtTextureObject_t t, float lod) {
             return tex1DLayeredLod<float>(t, 0.5f, 2, lod);
           }),
           Floats{2, 102, 152});
  const Pyramid layers(make_simtExtent(8, 8, 3), 3, simtArrayLayered);
  CHECK_EQ(read(layers, [](simtTextureObject_t t, float lod) {
             float value = 0;
             tex2DLayeredLod(&value, t, 0.5f, 0.5f, 1, lod);
             return value;
           }),
           Floats{1, 101, 151});
  const Pyramid cube(make_simtExtent(8, 8, 6), 3, simtArrayCubemap);
  CHECK_EQ(read(cube, [](simtTextureObject_t t, float lod) {
             return texCubemapLod<float>(t, 0, -1, 0, lod);
           }),
           Floats{3, 103, 153});
  const Pyramid cubes(make_simtExtent(8, 8, 12), 3, simtArrayCubemap | simtArrayLayered);
  CHECK_EQ(read(cubes, [](simtTextureObject_t t, float lod) {
             return texCubemapLayeredLod<float>(t, 0, 0, 1, 1, lod);
           }),
           Floats{10, 110, 160});
}

// A gradient of `texels` elements of level 0 has the level of detail log2(texels).
TEST_CASE("gradients give the level of detail") {
  const Floats texels{0, 1, 2, 4, 3};
  const auto near = [](const Floats& found, float base) {
    CHECK_EQ(Floats(found.begin(), found.begin() + 4), Floats{base, base, base + 100, base + 200});
    CHECK(found[4] == doctest::Approx(base + 100 * std::log2(3.0)).epsilon(0.005));
  };
  const simtTextureDesc how = description(simtFilterModeLinear);
  const auto read = [&](const Pyramid& pyramid, auto function) {
    const PyramidTexture texture(pyramid.resource(), how);
    return each(texels, [=, object = texture.object()](float n) { return function(object, n); });
  };
  using Object = simtTextureObject_t;
  const Pyramid line(make_simtExtent(16, 0, 0), 4);
  near(read(line, [](Object t, float n) { return tex1DGrad<float>(t, 0.5f, n / 16, 0); }), 0);
  const Pyramid plane(make_simtExtent(16, 8, 0), 4);
  near(read(plane, [](Object t, float n) {
         return tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(0, 0), make_float2(0, n / 8));
       }), 0);
  near(read(plane, [](Object t, float n) {  // the length of (3, 4) / 5
         const float2 d = make_float2(0.6f * n / 16, 0.8f * n / 8);
         return tex2DGrad<float>(t, 0.5f, 0.5f, d, make_float2(0, 0));
       }), 0);
  const Pyramid volume(make_simtExtent(8, 8, 16), 4);
  near(read(volume, [](Object t, float n) {
         const float4 none = make_float4(0, 0, 0, 0);
         return tex3DGrad<float>(t, 0.5f, 0.5f, 0.5f, none, make_float4(0, 0, n / 16, 0));
       }), 0);
  const Pyramid layers(make_simtExtent(16, 16, 3), 4, simtArrayLayered);
  near(read(layers, [](Object t, float n) {
         const float2 none = make_float2(0, 0);
         return tex2DLayeredGrad<float>(t, 0.5f, 0.5f, 2, make_float2(n / 16, 0), none);
       }), 2);
  // The coordinates of a face are half of the direction's components, divided by the greatest component.
  const Pyramid cube(make_simtExtent(16, 16, 6), 4, simtArrayCubemap);
  near(read(cube, [](Object t, float n) {
         const float4 none = make_float4(0, 0, 0, 0), d = make_float4(0, 2 * n / 16 * 3, 0, 0);
         return texCubemapGrad<float>(t, 3, 0.3f, 0, d, none);
       }), 0);
}

__global__ void halve(simtTextureObject_t from, simtSurfaceObject_t to, float size) {
  const auto x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const float u = (static_cast<float>(x) + 0.5f) / size, v = (static_cast<float>(y) + 0.5f) / size;
  surf2Dwrite(tex2D<float>(from, u, v), to, x * 4, y);
}

TEST_CASE("a kernel makes a level from the one above it") {
  const Pyramid pyramid(make_simtExtent(4, 4, 0), 2);
  Floats values(16);
  for (int i = 0; i < 16; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i);
  REQUIRE_OK(simtMemcpy2DToArray(pyramid.level(0), 0, 0, values.data(), 16, 16, 4,
                                 simtMemcpyHostToDevice));
  simtResourceDesc resource{};
  resource.resType = simtResourceTypeArray;
  resource.res.array.array = pyramid.level(0);
  simtTextureDesc how = description(simtFilterModePoint);
  how.filterMode = simtFilterModeLinear;
  const PyramidTexture above(resource, how);
  resource.res.array.array = pyramid.level(1);
  simtSurfaceObject_t below = 0;
  REQUIRE_OK(simtCreateSurfaceObject(&below, &resource));
  SIMT_LAUNCH((halve), (1), (dim3(2, 2)), (0), (0), above.object(), below, 2.0f);
  REQUIRE_FINISHED();
  REQUIRE_OK(simtDestroySurfaceObject(below));
  const PyramidTexture texture(pyramid.resource(), how);
  const simtTextureObject_t object = texture.object();
  CHECK_EQ(each({0, 1}, [=](float x) { return tex2DLod<float>(object, x, x, 1); }), Floats{2.5f, 12.5f});
}

TEST_CASE("views select levels, layers and a format") {
  const Pyramid pyramid(make_simtExtent(8, 8, 3), 4, simtArrayLayered);
  simtResourceViewDesc view{simtResViewFormatNone, 8, 8, 3, 1, 2, 1, 2};
  const simtResourceDesc resource = pyramid.resource();
  const PyramidTexture part(resource, description(simtFilterModePoint), &view);
  const simtTextureObject_t object = part.object();
  const auto layer_0 = [=](float lod) { return tex2DLayeredLod<float>(object, 0.5f, 0.5f, 0, lod); };
  const auto layer_5 = [=](float lod) { return tex2DLayeredLod<float>(object, 0.5f, 0.5f, 5, lod); };
  CHECK_EQ(each({0, 1, 9}, layer_0), Floats{101, 201, 201});
  CHECK_EQ(each({0, 1, 9}, layer_5), Floats{102, 202, 202});
  simtResourceViewDesc found{};
  REQUIRE_OK(simtGetTextureObjectResourceViewDesc(&found, object));
  CHECK_EQ(found.lastMipmapLevel, 2);
  view.format = simtResViewFormatUnsignedInt1;
  const PyramidTexture words(resource, description(simtFilterModePoint), &view);
  const simtTextureObject_t bits = words.object();
  CHECK_EQ(each({0}, [=](float) {
             return __uint_as_float(tex2DLayeredLod<unsigned>(bits, 0.5f, 0.5f, 0, 0));
           }),
           Floats{101});
}

TEST_CASE("invalid textures of mipmapped arrays, and invalid views") {
  const Pyramid pyramid(make_simtExtent(8, 8, 0), 2);
  simtTextureObject_t object = 0;
  const auto create = [&](const simtResourceDesc& resource, const simtTextureDesc& how,
                          const simtResourceViewDesc* view) {
    return simtCreateTextureObject(&object, &resource, &how, view);
  };
  const simtTextureDesc how = description(simtFilterModeLinear);
  simtTextureDesc wrong = how;
  wrong.normalizedCoords = 0;
  CHECK_EQ(create(pyramid.resource(), wrong, nullptr), simtErrorInvalidValue);
  wrong = how;
  wrong.mipmapFilterMode = static_cast<simtTextureFilterMode>(7);
  CHECK_EQ(create(pyramid.resource(), wrong, nullptr), simtErrorInvalidValue);
  const simtResourceViewDesc valid{simtResViewFormatNone, 8, 8, 0, 0, 1, 0, 0};
  REQUIRE_OK(create(pyramid.resource(), how, &valid));
  REQUIRE_OK(simtDestroyTextureObject(object));
  const auto refused = [&](auto change, simtError_t error) {
    simtResourceViewDesc view = valid;
    change(view);
    CHECK_EQ(create(pyramid.resource(), how, &view), error);
  };
  refused([](auto& view) { view.width = 4; }, simtErrorInvalidValue);
  refused([](auto& view) { view.lastMipmapLevel = 2; }, simtErrorInvalidValue);
  refused([](auto& view) { view.lastLayer = 1; }, simtErrorInvalidValue);
  refused([](auto& view) { view.format = simtResViewFormatFloat2; }, simtErrorInvalidValue);
  refused([](auto& view) { view.format = simtResViewFormatUnsignedInt1; },
          simtErrorInvalidFilterSetting);
  refused([](auto& view) { view.format = simtResViewFormatUnsignedBlockCompressed1; },
          simtErrorNotSupported);
  simtResourceDesc plain{};
  plain.resType = simtResourceTypeArray;
  plain.res.array.array = pyramid.level(0);
  CHECK_EQ(create(plain, how, &valid), simtErrorInvalidValue);  // an array has one level
  REQUIRE_OK(create(plain, how, nullptr));
  simtResourceViewDesc none{};
  CHECK_EQ(simtGetTextureObjectResourceViewDesc(&none, object), simtErrorInvalidValue);
  REQUIRE_OK(simtDestroyTextureObject(object));
  simtResourceDesc freed = pyramid.resource();
  freed.res.mipmap.mipmap = nullptr;
  CHECK_EQ(create(freed, how, nullptr), simtErrorInvalidResourceHandle);
  simtGetLastError();
}

}  // namespace
