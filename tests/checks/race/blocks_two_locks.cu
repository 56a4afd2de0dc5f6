// expect: race blocks
// Even and odd blocks guard the same total by different locks.
#include <cuda_runtime.h>

__global__ void kernel(int* locks, int* total) {
    if (threadIdx.x == 0) {
        int* lock = locks + blockIdx.x % 2;
        while (atomicCAS(lock, 0, 1) != 0) __nanosleep(100);
        __threadfence();
        *total += blockIdx.x;  // <- fault
        __threadfence();
        atomicExch(lock, 0);
    }
}

int main() {
    int* locks = nullptr;
    cudaMalloc(&locks, 2 * sizeof(int));
    cudaMemset(locks, 0, 2 * sizeof(int));
    int* total = nullptr;
    cudaMalloc(&total, 1 * sizeof(int));
    cudaMemset(total, 0, 1 * sizeof(int));
    kernel<<<16, 64>>>(locks, total);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(locks);
    cudaFree(total);
    return done != cudaSuccess;
}
