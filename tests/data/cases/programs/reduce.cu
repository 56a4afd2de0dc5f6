// Sums an array: warps by shuffles, blocks in dynamic shared memory, the rest by atomics.
#include <cstdio>

// 32 lanes are taken for granted: by the mask and by the two lines with threadIdx.x.
template <typename T>
__global__ void reduce(const T* in, T* out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* partial = reinterpret_cast<T*>(raw);
  T sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  const int lane = threadIdx.x % 32;
  if (lane == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < blockDim.x / 32; ++warp) partial[0] += partial[warp];
    atomicAdd(out, partial[0]);
  }
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* address, double value);
#endif

int main() {
  const int n = 1000, threads = 128;
  float *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = 1.0f;
  *out = 0.0f;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  reduce<float><<<dim3(4), dim3(threads), threads / 32 * sizeof(float), stream>>>(in, out, n);
  cudaStreamSynchronize(stream);
  std::printf("sum %g, cudaGetLastError says %d\n", *out, static_cast<int>(cudaGetLastError()));
  cudaStreamDestroy(stream);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
