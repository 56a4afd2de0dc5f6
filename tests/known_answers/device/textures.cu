// Texture objects: one, two and three dimensions, layers, cubemaps; filters, address modes, coordinates, read modes, gathers.
#include <cmath>
#include <cstring>

#include "device/log.h"

using answers::Log;

struct Texture {
  cudaArray_t array = nullptr;
  cudaTextureObject_t object = 0;
  ~Texture() {
    cudaDestroyTextureObject(object);
    cudaFreeArray(array);
  }
};

cudaTextureDesc description(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalized, cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc d;
  std::memset(&d, 0, sizeof d);
  for (auto& address : d.addressMode) address = mode;
  d.filterMode = filter;
  d.readMode = read;
  d.normalizedCoords = normalized;
  d.borderColor[0] = 5.0f;
  d.borderColor[1] = 6.0f;
  return d;
}

template <class T>
void fill(Texture& texture, int width, int height, int depth, unsigned flags, const cudaTextureDesc& d) {
  static T values[4096];
  const int count = width * (height ? height : 1) * (depth ? depth : 1);
  for (int i = 0; i < count; i++) values[i] = T((i * 37 + 11) % 101);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  int status = int(cudaMalloc3DArray(&texture.array, &format, make_cudaExtent(width, height, depth), flags));
  cudaMemcpy3DParms copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(values, width * sizeof(T), width, height ? height : 1);
  copy.dstArray = texture.array;
  copy.extent = make_cudaExtent(width, height ? height : 1, depth ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  status = status * 1000 + int(cudaMemcpy3D(&copy));
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = texture.array;
  status = status * 1000 + int(cudaCreateTextureObject(&texture.object, &resource, &d, nullptr));
  if (status) std::printf("texture failed: %d\n", status);
}

// Positions with halves, eighths of texels, edges, outside, huge, infinities and NaN
__device__ const float positions[48] = {
    0.0f, 0.25f, 0.5f, 0.75f, 1.0f, 1.25f, 1.5f, 1.501f, 1.502f, 1.50195f, 1.50196f, 1.6f, 1.7f, 2.0f, 2.125f, 2.3f, 3.49f, 3.5f, 3.51f, 6.9f,
    7.0f, 7.25f, 7.5f, 7.75f, 8.0f, 8.25f, 8.5f, 9.0f, 12.3f, 15.9f, 16.0f, 20.5f, -0.25f, -0.5f, -0.75f, -1.0f, -1.5f, -3.3f, -8.0f, -9.5f,
    0.001953125f, 0.0009765625f, 0.503f, 0.50390625f, 0.505859375f, 100.5f, -100.25f, 1000.75f};

// Filtered values are near: the documentation does not state how they are rounded.
__device__ void show_value(Log& log, const char* name, bool filtered, float value) {
  if (filtered) log.all_near(name, 1e-5, value);
  else log.all(name, value);
}

__global__ void one(Log log, const char* name, bool filtered, cudaTextureObject_t texture, float scale) {
  show_value(log, name, filtered, tex1D<float>(texture, positions[threadIdx.x] * scale));
}
__global__ void two(Log log, const char* name, bool filtered, cudaTextureObject_t texture, float scale_x, float scale_y) {
  show_value(log, name, filtered, tex2D<float>(texture, positions[threadIdx.x] * scale_x, positions[(threadIdx.x * 5 + 2) % 48] * scale_y));
}
__global__ void three(Log log, const char* name, bool filtered, cudaTextureObject_t texture, float s) {
  const int t = threadIdx.x;
  show_value(log, name, filtered, tex3D<float>(texture, positions[t] * s, positions[(t * 5 + 2) % 48] * s, positions[(t * 7 + 4) % 48] * s));
}
__global__ void layered(Log log, const char* name, bool filtered, cudaTextureObject_t texture) {
  const int t = threadIdx.x;
  show_value(log, name, filtered, tex2DLayered<float>(texture, positions[t], positions[(t * 5 + 2) % 48], t % 7 - 1));
}
__global__ void cube(Log log, const char* name, bool filtered, cudaTextureObject_t texture) {
  const int t = threadIdx.x, face = t % 6;
  const float u = (t % 4 - 1.5f) * 0.4f, v = (t / 4 % 4 - 1.5f) * 0.4f, s = face % 2 ? -1.0f : 1.0f;
  show_value(log, name, filtered, face < 2 ? texCubemap<float>(texture, s, u, v) : face < 4 ? texCubemap<float>(texture, u, s, v) : texCubemap<float>(texture, u, v, s));
}
__global__ void gather(Log log, cudaTextureObject_t texture) {
  const int t = threadIdx.x;
  const float4 g = tex2Dgather<float4>(texture, positions[t], positions[(t * 5 + 2) % 48], 0);
  log.all("gather.x", g.x);
  log.all("gather.y", g.y);
  log.all("gather.z", g.z);
  log.all("gather.w", g.w);
}
__global__ void read_modes(Log log, cudaTextureObject_t bytes, cudaTextureObject_t shorts, cudaTextureObject_t chars, cudaTextureObject_t whole) {
  const int t = threadIdx.x;
  log.all("uchar_normalized", tex2D<float>(bytes, t + 0.5f, 1.5f));
  log.all_near("uchar_normalized_linear", 1e-5, tex2D<float>(bytes, t * 0.4f, 1.2f));
  log.all("ushort_normalized", tex2D<float>(shorts, t + 0.5f, 1.5f));
  log.all("char_normalized", tex2D<float>(chars, t + 0.5f, 1.5f));
  log.all("int_element", tex2D<int>(whole, t * 0.7f, 1.5f));
}
__global__ void linear_memory(Log log, cudaTextureObject_t buffer, cudaTextureObject_t pitched, cudaTextureObject_t vectors) {
  const int t = threadIdx.x;
  log.all("tex1Dfetch", tex1Dfetch<float>(buffer, t * 3 - 6));
  log.all_near("pitched", 1e-5, tex2D<float>(pitched, t * 0.5f, t * 0.25f));
  const float4 v = tex1Dfetch<float4>(vectors, t % 16);
  log.all("tex1Dfetch_float4", v.x + v.y * 10 + v.z * 100 + v.w * 1000);
}

template <class Kernel, class... Arguments>
void show(Kernel kernel, int threads, const char* name, Arguments... arguments) {
  Log log = answers::new_log();
  char* text = nullptr;
  if (cudaMallocManaged(&text, 80) != cudaSuccess) return;
  std::strcpy(text, name);
  kernel<<<1, threads>>>(log, text, arguments...);
  answers::print_log(log);
  cudaFree(text);
}

int main() {
  const cudaTextureAddressMode modes[4] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder};
  const char* mode_names[4] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; mode++) {
    for (int linear = 0; linear < 2; linear++) {
      for (int normalized = 0; normalized < 2; normalized++) {
        const auto d = description(modes[mode], linear ? cudaFilterModeLinear : cudaFilterModePoint, normalized);
        char name[80];
        const char* shape[] = {"1d", "2d", "3d"};
        for (int dimensions = 0; dimensions < 3; dimensions++) {
          std::snprintf(name, 80, "%s_%s%s%s", shape[dimensions], mode_names[mode], linear ? "_linear" : "_point", normalized ? "_normalized" : "");
          Texture texture;
          fill<float>(texture, 8, dimensions > 0 ? 8 : 0, dimensions > 1 ? 8 : 0, 0, d);
          const float scale = normalized ? 0.125f : 1.0f;
          if (dimensions == 0) show(one, 48, name, bool(linear), texture.object, scale);
          if (dimensions == 1) show(two, 48, name, bool(linear), texture.object, scale, scale);
          if (dimensions == 2) show(three, 48, name, bool(linear), texture.object, scale);
        }
      }
    }
  }
  for (int linear = 0; linear < 2; linear++) {
    const auto d = description(cudaAddressModeClamp, linear ? cudaFilterModeLinear : cudaFilterModePoint, false);
    Texture texture, faces;
    fill<float>(texture, 8, 8, 5, cudaArrayLayered, d);
    show(layered, 48, linear ? "layered_linear" : "layered_point", bool(linear), texture.object);
    const auto n = description(cudaAddressModeClamp, linear ? cudaFilterModeLinear : cudaFilterModePoint, true);
    fill<float>(faces, 8, 8, 6, cudaArrayCubemap, n);
    show(cube, 48, linear ? "cubemap_linear" : "cubemap_point", bool(linear), faces.object);
  }
  {
    Texture texture;
    fill<float>(texture, 8, 8, 0, cudaArrayTextureGather, description(cudaAddressModeClamp, cudaFilterModePoint, false));
    Log log = answers::new_log();
    gather<<<1, 48>>>(log, texture.object);
    answers::print_log(log);
  }
  {
    Texture bytes, shorts, chars, whole;
    const auto normalized = description(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
    const auto filtered = description(cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat);
    fill<unsigned char>(bytes, 16, 4, 0, 0, filtered);
    fill<unsigned short>(shorts, 16, 4, 0, 0, normalized);
    fill<signed char>(chars, 16, 4, 0, 0, normalized);
    fill<int>(whole, 16, 4, 0, 0, description(cudaAddressModeClamp, cudaFilterModePoint, false));
    Log log = answers::new_log();
    read_modes<<<1, 32>>>(log, bytes.object, shorts.object, chars.object, whole.object);
    answers::print_log(log);
  }
  {
    float* buffer = nullptr;
    if (cudaMallocManaged(&buffer, 4096) != cudaSuccess) return 1;
    for (int i = 0; i < 1024; i++) buffer[i] = float((i * 37 + 11) % 101);
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = buffer;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 64 * sizeof(float);
    const auto d = description(cudaAddressModeClamp, cudaFilterModePoint, false);
    cudaTextureObject_t one_dimension = 0, vectors = 0, pitched = 0;
    answers::exact("linear.create", int(cudaCreateTextureObject(&one_dimension, &resource, &d, nullptr)));
    resource.res.linear.desc = cudaCreateChannelDesc<float4>();
    answers::exact("vectors.create", int(cudaCreateTextureObject(&vectors, &resource, &d, nullptr)));
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = buffer;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 16;
    resource.res.pitch2D.height = 8;
    resource.res.pitch2D.pitchInBytes = 128;
    const auto filtered = description(cudaAddressModeClamp, cudaFilterModeLinear, false);
    answers::exact("pitched.create", int(cudaCreateTextureObject(&pitched, &resource, &filtered, nullptr)));
    Log log = answers::new_log();
    linear_memory<<<1, 32>>>(log, one_dimension, pitched, vectors);
    answers::print_log(log);
  }
}
