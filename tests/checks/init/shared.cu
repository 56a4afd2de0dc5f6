// expect: init shared
// Shared memory is read before any thread has written it.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    out[threadIdx.x] = tile[threadIdx.x];  // <- fault
    __syncthreads();
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] += tile[63 - threadIdx.x];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
