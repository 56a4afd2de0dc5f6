// expect: none
// Volatile accesses with __syncwarp between reads and writes, as the guide for Volta asks.
#include <cuda_runtime.h>

__device__ void last_warp(volatile int* tile, int lane) {
    int sum = tile[lane];
    for (int half = 16; half > 0; half /= 2) {
        sum += tile[lane + half];
        __syncwarp();
        tile[lane] = sum;
        __syncwarp();
    }
}

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    if (i < 32) last_warp(tile, i);
    if (i == 0) *out = tile[0];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
