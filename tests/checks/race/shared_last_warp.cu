// expect: race shared
// The last warp goes on without __syncwarp: since Volta its lanes are not in step.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    if (i < 32) {
        tile[i] += tile[i + 32];               // <- fault
        if (i < 16) tile[i] += tile[i + 16];   // <- fault
        if (i < 8) tile[i] += tile[i + 8];     // <- fault
    }
    if (i == 0) *out = tile[0] + tile[1];      // <- fault
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
