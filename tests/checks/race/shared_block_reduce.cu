// expect: none
// Warps reduce by shuffles, leave their sums in shared memory, and warp 0 adds them.
#include <cuda_runtime.h>

__device__ int warp_sum(int value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    return value;
}

__global__ void kernel(const int* in, int* out) {
    __shared__ int sums[32];
    const int i = threadIdx.x, lane = i % 32, warp = i / 32;
    int value = warp_sum(in[blockIdx.x * blockDim.x + i]);
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    value = i < blockDim.x / 32 ? sums[lane] : 0;
    if (warp == 0) value = warp_sum(value);
    if (i == 0) out[blockIdx.x] = value;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 1024 * sizeof(int));
    cudaMemset(in, 0, 1024 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMemset(out, 0, 4 * sizeof(int));
    kernel<<<4, 256>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
