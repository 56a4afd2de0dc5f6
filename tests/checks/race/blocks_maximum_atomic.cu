// expect: none
// Each block offers its value by atomicMax.
#include <cuda_runtime.h>

__global__ void kernel(int* best) {
    const int value = (blockIdx.x * 37) % 16;
    if (threadIdx.x == 0) atomicMax(best, value);
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
