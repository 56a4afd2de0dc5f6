// expect: race shared
// Volatile orders nothing between lanes: the warp lacks __syncwarp.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ volatile int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    if (i < 32) {
        tile[i] = tile[i] + tile[i + 16];  // <- fault
        tile[i] = tile[i] + tile[i + 8];   // <- fault
        out[i] = tile[i];
    }
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
