// Surfaces: reads and writes with all boundary modes, coordinates in bytes, layers, three dimensions; sRGB.
#include <cstring>

#include "device/log.h"

using answers::Log;

__global__ void write(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  surf2Dwrite<float>(x * 10.0f + y, surface, x * int(sizeof(float)), y);
  surf2Dwrite<float>(-1.0f, surface, (x + 8) * int(sizeof(float)), y, cudaBoundaryModeZero);
}
__global__ void read(Log log, cudaSurfaceObject_t surface) {
  const int t = threadIdx.x, x = t % 12 - 2, y = t / 12 - 1;
  log.all("zero", surf2Dread<float>(surface, x * int(sizeof(float)), y, cudaBoundaryModeZero));
  log.all("clamp", surf2Dread<float>(surface, x * int(sizeof(float)), y, cudaBoundaryModeClamp));
  float value = 0;
  surf2Dread(&value, surface, (t % 8) * 4, 2);
  log.all("by_pointer", value);
  log.all("bytes", int(surf2Dread<unsigned char>(surface, t % 32, 1)));
}
__global__ void volume(Log log, cudaSurfaceObject_t surface) {
  const int t = threadIdx.x;
  surf3Dwrite<int>(t * 7, surface, (t % 4) * 4, t / 4 % 4, t / 16);
  __syncthreads();
  log.all("volume", surf3Dread<int>(surface, (3 - t % 4) * 4, t / 4 % 4, t / 16));
  log.all("volume_outside", surf3Dread<int>(surface, (t % 6 - 1) * 4, t / 6 - 1, t % 5, cudaBoundaryModeClamp));
}
__global__ void layers(Log log, cudaSurfaceObject_t surface) {
  const int t = threadIdx.x;
  surf2DLayeredwrite<float2>(make_float2(t, -t), surface, (t % 4) * 8, t / 4 % 4, t / 16);
  __syncthreads();
  const float2 v = surf2DLayeredread<float2>(surface, (t % 4) * 8, 3 - t / 4 % 4, 1 - t / 16 % 2);
  log.all("layered", v.x * 100 + v.y);
}
__global__ void srgb(Log log, cudaTextureObject_t texture) {
  const float4 v = tex2D<float4>(texture, threadIdx.x + 0.5f, 0.5f);
  log.all_near("srgb.x", 2e-3, v.x);
  log.all_near("srgb.w", 1e-6, v.w);
}

int main() {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  {
    const auto format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    cudaSurfaceObject_t surface = 0;
    answers::exact("array", int(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore)));
    resource.res.array.array = array;
    answers::exact("surface", int(cudaCreateSurfaceObject(&surface, &resource)));
    write<<<1, 32>>>(surface);
    answers::exact("write", int(cudaDeviceSynchronize()));
    Log log = answers::new_log();
    read<<<1, 60>>>(log, surface);
    answers::print_log(log);
    float values[32];
    answers::exact("copy", int(cudaMemcpy2DFromArray(values, 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost)));
    answers::exact_array("values", values, 32);
  }
  {
    const auto format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    cudaSurfaceObject_t surface = 0;
    answers::exact("volume.array", int(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 4), cudaArraySurfaceLoadStore)));
    resource.res.array.array = array;
    answers::exact("volume.surface", int(cudaCreateSurfaceObject(&surface, &resource)));
    Log log = answers::new_log();
    volume<<<1, 64>>>(log, surface);
    answers::print_log(log);
  }
  {
    const auto format = cudaCreateChannelDesc<float2>();
    cudaArray_t array = nullptr;
    cudaSurfaceObject_t surface = 0;
    answers::exact("layered.array", int(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 2), cudaArraySurfaceLoadStore | cudaArrayLayered)));
    resource.res.array.array = array;
    answers::exact("layered.surface", int(cudaCreateSurfaceObject(&surface, &resource)));
    Log log = answers::new_log();
    layers<<<1, 32>>>(log, surface);
    answers::print_log(log);
  }
  {
    const auto format = cudaCreateChannelDesc<uchar4>();
    uchar4 values[16];
    for (int i = 0; i < 16; i++) values[i] = make_uchar4(i * 17, 255 - i * 17, i, i * 17);
    cudaArray_t array = nullptr;
    cudaTextureObject_t texture = 0;
    answers::exact("srgb.array", int(cudaMallocArray(&array, &format, 16, 1)));
    answers::exact("srgb.copy", int(cudaMemcpy2DToArray(array, 0, 0, values, 64, 64, 1, cudaMemcpyHostToDevice)));
    resource.res.array.array = array;
    cudaTextureDesc description;
    std::memset(&description, 0, sizeof description);
    description.readMode = cudaReadModeNormalizedFloat;
    description.sRGB = 1;
    answers::exact("srgb.texture", int(cudaCreateTextureObject(&texture, &resource, &description, nullptr)));
    Log log = answers::new_log();
    srgb<<<1, 16>>>(log, texture);
    answers::print_log(log);
  }
}
