// expect: none
// All elements of a __device__ array are read, and none behind it.
#include <cuda_runtime.h>

__device__ int table[16];

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    if (i < 16) out[i] = table[i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
