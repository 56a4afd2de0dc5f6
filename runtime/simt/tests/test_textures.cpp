// CUDA arrays, textures and surfaces. CUDA C++ Programming Guide, "Texture and Surface Memory" and
// "Texture Fetching".
#include "kernel_test.h"

#include <cmath>
#include <numeric>

namespace {

/// Array with the given elements.
template <class T>
class TestArray {
 public:
  TestArray(simtExtent extent, const std::vector<T>& values, unsigned flags = simtArrayDefault) {
    const simtChannelFormatDesc format = simtCreateChannelDesc<T>();
    REQUIRE_OK(simtMalloc3DArray(&array_, &format, extent, flags));
    simtMemcpy3DParms copy{};
    const std::size_t rows = extent.height == 0 ? 1 : extent.height;
    copy.srcPtr = make_simtPitchedPtr(const_cast<T*>(values.data()), extent.width * sizeof(T),
                                      extent.width, rows);
    copy.dstArray = array_;
    copy.extent = make_simtExtent(extent.width, rows, extent.depth == 0 ? 1 : extent.depth);
    copy.kind = simtMemcpyHostToDevice;
    REQUIRE_OK(simtMemcpy3D(&copy));
  }
  TestArray(const TestArray&) = delete;
  TestArray& operator=(const TestArray&) = delete;
  ~TestArray() { simtFreeArray(array_); }
  operator simtArray_t() const { return array_; }

 private:
  simtArray_t array_ = nullptr;
};

/// Texture of an array or of linear memory.
class TestTexture {
 public:
  explicit TestTexture(simtArray_t array, const simtTextureDesc& how = {}) {
    simtResourceDesc resource{};
    resource.resType = simtResourceTypeArray;
    resource.res.array.array = array;
    REQUIRE_OK(simtCreateTextureObject(&object_, &resource, &how, nullptr));
  }
  TestTexture(const simtResourceDesc& resource, const simtTextureDesc& how) {
    REQUIRE_OK(simtCreateTextureObject(&object_, &resource, &how, nullptr));
  }
  TestTexture(const TestTexture&) = delete;
  TestTexture& operator=(const TestTexture&) = delete;
  ~TestTexture() { simtDestroyTextureObject(object_); }
  simtTextureObject_t object() const { return object_; }
  operator simtTextureObject_t() const { return object_; }

 private:
  simtTextureObject_t object_ = 0;
};

simtTextureDesc texture(simtTextureFilterMode filter, simtTextureAddressMode address,
                        bool normalized = false,
                        simtTextureReadMode read = simtReadModeElementType) {
  simtTextureDesc how{};
  how.filterMode = filter;
  for (auto& mode : how.addressMode) mode = address;
  how.normalizedCoords = normalized;
  how.readMode = read;
  return how;
}

enum class Form { k1D, k2D, k3D, kLayered, kCube, kGather };

__global__ void read_texture(simtTextureObject_t object, Form form, const float4* at, float4* out) {
  const float4 p = at[threadIdx.x];
  float v = 0;
  switch (form) {
    case Form::k1D: v = tex1D<float>(object, p.x); break;
    case Form::k2D: v = tex2D<float>(object, p.x, p.y); break;
    case Form::k3D: v = tex3D<float>(object, p.x, p.y, p.z); break;
    case Form::kLayered: v = tex2DLayered<float>(object, p.x, p.y, static_cast<int>(p.z)); break;
    case Form::kCube: v = texCubemap<float>(object, p.x, p.y, p.z); break;
    case Form::kGather: out[threadIdx.x] = tex2Dgather<float4>(object, p.x, p.y); return;
  }
  out[threadIdx.x] = make_float4(v, 0, 0, 0);
}

std::vector<float> read(simtTextureObject_t object, Form form, const std::vector<float4>& at) {
  const DeviceArray<float4> places(at), out(at.size());
  SIMT_LAUNCH((read_texture), (1), (static_cast<unsigned>(at.size())), (0), (0), object, form,
              places.data(), out.data());
  REQUIRE_FINISHED();
  std::vector<float> result;
  for (const float4& value : out.values()) result.push_back(value.x);
  return result;
}

std::vector<float4> along_x(std::initializer_list<float> xs) {
  std::vector<float4> places;
  for (const float x : xs) places.push_back(make_float4(x, 0.5f, 0.5f, 0));
  return places;
}

using Floats = std::vector<float>;

TEST_CASE("addressing modes of point sampling") {
  const TestArray<float> array(make_simtExtent(4, 0, 0), {10, 20, 30, 40});
  const auto places = along_x({-0.5f, 0.0f, 1.9f, 3.5f, 4.5f});
  const auto scaled = along_x({-0.125f, 0.0f, 0.475f, 0.875f, 1.125f});
  const auto check = [&](simtTextureAddressMode mode, bool normalized, const Floats& wanted) {
    const TestTexture object(array, texture(simtFilterModePoint, mode, normalized));
    CHECK_EQ(read(object, Form::k1D, normalized ? scaled : places), wanted);
  };
  check(simtAddressModeClamp, false, {10, 10, 20, 40, 40});
  check(simtAddressModeBorder, false, {0, 10, 20, 40, 0});
  check(simtAddressModeWrap, true, {40, 10, 20, 40, 10});
  check(simtAddressModeMirror, true, {10, 10, 20, 40, 40});
  check(simtAddressModeWrap, false, {10, 10, 20, 40, 40});
}

TEST_CASE("linear filtering with weights of 8 bits") {
  const TestArray<float> array(make_simtExtent(4, 0, 0), {0, 256, 0, 0});
  const TestTexture clamp(array, texture(simtFilterModeLinear, simtAddressModeClamp));
  // A weight of 1/1000 becomes 0; 0.2501 becomes 64/256.
  CHECK_EQ(read(clamp, Form::k1D, along_x({0.5f, 1.0f, 0.501f, 0.7501f, 1.5f, -3.0f})),
           Floats{0, 128, 0, 64, 256, 0});
  const TestArray<float> plane(make_simtExtent(2, 2, 0), {0, 4, 8, 12});
  const TestTexture both(plane, texture(simtFilterModeLinear, simtAddressModeBorder));
  CHECK_EQ(read(both, Form::k2D, {make_float4(1, 1, 0, 0), make_float4(0.5f, 1, 0, 0),
                                  make_float4(2, 1.5f, 0, 0)}),
           Floats{6, 4, 6});
  CHECK_EQ(read(both, Form::kGather, {make_float4(1, 1, 0, 0)}), Floats{8});
}

TEST_CASE("three dimensions, layers and cubes") {
  std::vector<float> values(2 * 2 * 6);
  std::iota(values.begin(), values.end(), 0.0f);
  const Floats volume_values(values.begin(), values.begin() + 8);
  const TestArray<float> volume(make_simtExtent(2, 2, 2), volume_values);
  const TestTexture in_volume(volume, texture(simtFilterModeLinear, simtAddressModeClamp));
  CHECK_EQ(read(in_volume, Form::k3D, {make_float4(1, 1, 1, 0), make_float4(0.5f, 0.5f, 1.5f, 0)}),
           Floats{3.5f, 4});
  const TestArray<float> layers(make_simtExtent(2, 2, 6), values, simtArrayLayered);
  const TestTexture in_layers(layers, texture(simtFilterModePoint, simtAddressModeClamp));
  CHECK_EQ(read(in_layers, Form::kLayered, {make_float4(1, 1, 2, 0), make_float4(0, 0, 9, 0)}),
           Floats{11, 20});
  const TestArray<float> cube(make_simtExtent(2, 2, 6), values, simtArrayCubemap);
  const TestTexture in_cube(cube, texture(simtFilterModePoint, simtAddressModeClamp, true));
  CHECK_EQ(read(in_cube, Form::kCube,
                {make_float4(1, 0.5f, 0.5f, 0), make_float4(-1, 0.5f, 0.5f, 0),
                 make_float4(0.5f, 0.5f, 1, 0), make_float4(-0.5f, -1, -0.5f, 0)}),
           Floats{0, 5, 17, 14});
}

__global__ void read_other_types(simtTextureObject_t bytes, simtTextureObject_t linear,
                                 simtTextureObject_t pitched, float* out) {
  const float4 color = tex2D<float4>(bytes, 0.5f, 0.5f);
  out[0] = color.x;
  out[1] = color.w;
  out[2] = static_cast<float>(tex1Dfetch<int>(linear, 2));
  out[3] = static_cast<float>(tex1Dfetch<int>(linear, 100));
  const short2 pair = tex2D<short2>(pitched, 1.5f, 1.5f);
  out[4] = pair.x;
  out[5] = pair.y;
}

TEST_CASE("normalised bytes, linear memory and memory with a pitch") {
  const TestArray<uchar4> bytes(make_simtExtent(1, 1, 0), {make_uchar4(255, 0, 0, 51)});
  const TestTexture colors(bytes, texture(simtFilterModeLinear, simtAddressModeClamp, false,
                                          simtReadModeNormalizedFloat));
  const DeviceArray<int> integers(std::vector<int>{1, 2, -3, 4});
  simtResourceDesc resource{};
  resource.resType = simtResourceTypeLinear;
  resource.res.linear.devPtr = integers.data();
  resource.res.linear.desc = simtCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = integers.bytes();
  const TestTexture linear(resource, {});
  const DeviceArray<short2> rows(std::vector<short2>(32, make_short2(7, -8)));
  resource.resType = simtResourceTypePitch2D;
  resource.res.pitch2D.devPtr = rows.data();
  resource.res.pitch2D.desc = simtCreateChannelDesc<short2>();
  resource.res.pitch2D.width = 4;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = 64;
  const TestTexture pitched(resource, {});
  const DeviceArray<float> out(6);
  SIMT_LAUNCH((read_other_types), (1), (1), (0), (0), colors.object(), linear.object(),
              pitched.object(), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), Floats{1, 51.0f / 255, -3, 0, 7, -8});
}

__global__ void invert(simtSurfaceObject_t object, int width) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const float value = surf2Dread<float>(object, x * 4, y);
  surf2Dwrite(-value, object, x * 4, y);
  surf2Dwrite(1.0f, object, (x + width) * 4, y, simtBoundaryModeZero);
}
__global__ void read_outside(simtSurfaceObject_t object, float* out) {
  out[0] = surf2Dread<float>(object, -4, 0, simtBoundaryModeZero);
  out[1] = surf2Dread<float>(object, -4, 0, simtBoundaryModeClamp);
}

TEST_CASE("surfaces read and write arrays") {
  const TestArray<float> array(make_simtExtent(3, 2, 0), {1, 2, 3, 4, 5, 6},
                               simtArraySurfaceLoadStore);
  simtResourceDesc resource{};
  resource.resType = simtResourceTypeArray;
  resource.res.array.array = array;
  simtSurfaceObject_t object = 0;
  REQUIRE_OK(simtCreateSurfaceObject(&object, &resource));
  SIMT_LAUNCH((invert), (1), (dim3(3, 2)), (0), (0), object, 3);
  const DeviceArray<float> outside(2);
  SIMT_LAUNCH((read_outside), (1), (1), (0), (0), object, outside.data());
  REQUIRE_FINISHED();
  Floats out(6);
  REQUIRE_OK(simtMemcpy2DFromArray(out.data(), 12, array, 0, 0, 12, 2, simtMemcpyDeviceToHost));
  CHECK_EQ(out, Floats{-1, -2, -3, -4, -5, -6});
  CHECK_EQ(outside.values(), Floats{0, -1});
  REQUIRE_OK(simtDestroySurfaceObject(object));
}

TEST_CASE("copies between arrays and memory") {
  const TestArray<int> first(make_simtExtent(4, 2, 0), std::vector<int>(8, 1));
  const TestArray<int> second(make_simtExtent(4, 2, 0), std::vector<int>(8, 2));
  const std::vector<int> row{5, 6, 7};
  REQUIRE_OK(simtMemcpyToArray(first, 8, 0, row.data(), 12, simtMemcpyHostToDevice));
  REQUIRE_OK(simtMemcpy2DArrayToArray(second, 0, 0, first, 8, 0, 8, 1));
  std::vector<int> out(8);
  REQUIRE_OK(simtMemcpyFromArray(out.data(), first, 0, 0, 32, simtMemcpyDeviceToHost));
  CHECK_EQ(out, std::vector<int>{1, 1, 5, 6, 7, 1, 1, 1});
  REQUIRE_OK(simtMemcpyFromArray(out.data(), second, 0, 0, 32, simtMemcpyDeviceToHost));
  CHECK_EQ(out, std::vector<int>{5, 6, 2, 2, 2, 2, 2, 2});
  CHECK_EQ(simtMemcpyToArray(first, 8, 1, row.data(), 12, simtMemcpyHostToDevice),
           simtErrorInvalidValue);
  simtExtent extent{};
  REQUIRE_OK(simtArrayGetInfo(nullptr, &extent, nullptr, first));
  CHECK_EQ(extent.width, 4u);
  simtGetLastError();
}

TEST_CASE("copies of boxes between arrays of two devices") {
  const TestArray<int> from(make_simtExtent(3, 2, 2), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const TestArray<int> to(make_simtExtent(2, 2, 2), std::vector<int>(8, 0));
  simtMemcpy3DPeerParms copy{};  // device 0 is also the other device
  copy.srcArray = from;
  copy.srcPos = make_simtPos(1, 0, 1);
  copy.dstArray = to;
  copy.dstPos = make_simtPos(0, 0, 1);
  copy.extent = make_simtExtent(2, 2, 1);
  REQUIRE_OK(simtMemcpy3DPeer(&copy));
  std::vector<int> out(8);
  simtMemcpy3DPeerParms back{};
  back.srcArray = to;
  back.dstPtr = make_simtPitchedPtr(out.data(), 8, 2, 2);
  back.extent = make_simtExtent(2, 2, 2);
  REQUIRE_OK(simtMemcpy3DPeer(&back));
  CHECK_EQ(out, std::vector<int>{0, 0, 0, 0, 8, 9, 11, 12});
  copy.dstPos = make_simtPos(1, 0, 1);
  CHECK_EQ(simtMemcpy3DPeer(&copy), simtErrorInvalidValue);
  simtGetLastError();
}

TEST_CASE("invalid arrays and textures") {
  simtArray_t array = nullptr;
  const simtChannelFormatDesc three{8, 8, 8, 0, simtChannelFormatKindUnsigned};
  CHECK_EQ(simtMallocArray(&array, &three, 4), simtErrorInvalidChannelDescriptor);
  const simtChannelFormatDesc format = simtCreateChannelDesc<int>();
  CHECK_EQ(simtMallocArray(&array, &format, 0), simtErrorInvalidValue);
  const TestArray<int> integers(make_simtExtent(4, 0, 0), {1, 2, 3, 4});
  simtResourceDesc resource{};
  resource.resType = simtResourceTypeArray;
  resource.res.array.array = integers;
  simtTextureObject_t object = 0;
  const simtTextureDesc linear = texture(simtFilterModeLinear, simtAddressModeClamp);
  CHECK_EQ(simtCreateTextureObject(&object, &resource, &linear, nullptr),
           simtErrorInvalidFilterSetting);
  simtGetLastError();
}

}  // namespace
