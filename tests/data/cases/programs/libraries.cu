// Uses several of CUDA's libraries, and names that only look like theirs.
#include <cublas_v2.h>
#include <cub/cub.cuh>
#include <curand_kernel.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cmath>
#include <vector>

__global__ void dice(unsigned seed, float* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, 0, &state);
  out[threadIdx.x] = sqrtf(curand_uniform(&state));
}

float largest(const float* in, int n, cublasHandle_t handle) {
  int index = 0;
  cublasIsamax(handle, n, in, 1, &index);
  return in[index - 1];
}

void order(std::vector<int>& host) {
  std::sort(host.begin(), host.end());
  thrust::device_vector<int> device(host.begin(), host.end());
  thrust::sort(device.begin(), device.end());
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, device.begin(), device.begin(), host.size());
  double root = std::sqrt(2.0);
  (void)root;
}
