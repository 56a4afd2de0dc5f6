// expect: memory global
// An atomic addition to a bin behind the last one.
#include <cuda_runtime.h>

__global__ void kernel(int* bins) {
    atomicAdd(&bins[threadIdx.x % 11], 1);  // <- fault
}

int main() {
    int* bins = nullptr;
    cudaMalloc(&bins, 10 * sizeof(int));
    cudaMemset(bins, 0, 10 * sizeof(int));
    kernel<<<1, 64>>>(bins);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(bins);
    return done != cudaSuccess;
}
