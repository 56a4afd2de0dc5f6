// expect: none
// Atomic additions to ten bins.
#include <cuda_runtime.h>

__global__ void kernel(int* bins) { atomicAdd(&bins[threadIdx.x % 10], 1); }

int main() {
    int* bins = nullptr;
    cudaMalloc(&bins, 10 * sizeof(int));
    cudaMemset(bins, 0, 10 * sizeof(int));
    kernel<<<1, 64>>>(bins);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(bins);
    return done != cudaSuccess;
}
