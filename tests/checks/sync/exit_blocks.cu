// expect: none
// Whole blocks return before the barrier.
#include <cuda_runtime.h>

__global__ void kernel(int* out, int blocks) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (blockIdx.x >= blocks) return;
    tile[i] = i;
    __syncthreads();
    out[blockIdx.x * 64 + i] = tile[63 - i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<4, 64>>>(out, 2);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
