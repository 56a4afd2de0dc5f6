// Rotation of an image by a quarter turn, and its enlargement: a texture reads an array with linear
// filtering, and a surface writes another array.
#include "check.h"

#include <cmath>
#include <vector>

/// Writes the image, turned by `angle` about its centre.
__global__ void rotate(cudaTextureObject_t from, cudaSurfaceObject_t to, int size, float angle) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const float u = (x + 0.5f) / size - 0.5f, v = (y + 0.5f) / size - 0.5f;
  const float c = cosf(angle), s = sinf(angle);
  const float value = tex2D<float>(from, c * u - s * v + 0.5f, s * u + c * v + 0.5f);
  surf2Dwrite(value, to, x * int(sizeof(float)), y);
}

int main() {
  const int size = 64, bytes = size * sizeof(float);
  std::vector<float> image(size * size), turned(size * size);
  for (int i = 0; i < size * size; ++i) image[i] = float(i % 31 + i / size);

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t in, out;
  CHECK(cudaMallocArray(&in, &format, size, size));
  CHECK(cudaMallocArray(&out, &format, size, size, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(in, 0, 0, image.data(), bytes, bytes, size, cudaMemcpyHostToDevice));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = in;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  resource.res.array.array = out;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));

  const dim3 block(16, 16), grid(parts(size, block.x), parts(size, block.y));
  rotate<<<grid, block>>>(texture, surface, size, float(std::acos(0.0)));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy2DFromArray(turned.data(), bytes, out, 0, 0, bytes, size, cudaMemcpyDeviceToHost));

  bool ok = true;  // a quarter turn maps elements to elements
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      ok = ok && std::fabs(turned[y * size + x] - image[x * size + (size - 1 - y)]) < 0.01f;

  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(in));
  CHECK(cudaFreeArray(out));
  return report("texture_rotation", ok, std::to_string(size * size) + " elements");
}
