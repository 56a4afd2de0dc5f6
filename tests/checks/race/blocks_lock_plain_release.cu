// expect: race blocks
// The lock is released by a plain store without a fence.
#include <cuda_runtime.h>

__global__ void kernel(int* lock, int* total) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) __nanosleep(100);
        *total += blockIdx.x;                          // <- fault
        *static_cast<volatile int*>(lock) = 0;         // <- fault
    }
}

int main() {
    int* lock = nullptr;
    cudaMalloc(&lock, 1 * sizeof(int));
    cudaMemset(lock, 0, 1 * sizeof(int));
    int* total = nullptr;
    cudaMalloc(&total, 1 * sizeof(int));
    cudaMemset(total, 0, 1 * sizeof(int));
    kernel<<<16, 64>>>(lock, total);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(lock);
    cudaFree(total);
    return done != cudaSuccess;
}
