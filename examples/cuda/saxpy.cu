// y = a * x + y on managed memory, with a grid-stride loop: the grid has as many threads as run on
// the device at once.
#include "check.h"

template <typename T>
__global__ void axpy(T a, const T* x, T* y, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 18;
  float *x, *y;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1000);
    y[i] = static_cast<float>(i % 7);
  }

  int device, processors, blocks_each;
  const int threads = 128;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, axpy<float>, threads, 0));
  axpy<<<processors * blocks_each, threads>>>(2.5f, x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  // The results are multiples of 1/2 below 2^12: exact, with or without a fused multiply-add.
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    ok = ok && y[i] == 2.5f * static_cast<float>(i % 1000) + static_cast<float>(i % 7);
  }

  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return report("saxpy", ok, std::to_string(n) + " elements");
}
