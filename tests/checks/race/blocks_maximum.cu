// expect: race blocks
// Each block compares its value with the best one and replaces that one by a plain store.
#include <cuda_runtime.h>

__global__ void kernel(int* best) {
    const int value = (blockIdx.x * 37) % 16;
    if (threadIdx.x == 0 && value > *best) *best = value;  // <- fault
}

int main() {
    int* best = nullptr;
    cudaMalloc(&best, 1 * sizeof(int));
    cudaMemset(best, 0, 1 * sizeof(int));
    kernel<<<16, 64>>>(best);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(best);
    return done != cudaSuccess;
}
