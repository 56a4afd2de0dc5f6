// expect: none
// Each cell of shared memory is written before the barrier and read after it.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
