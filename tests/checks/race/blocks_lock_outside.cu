// expect: race blocks
// One of two updates stands outside of the lock.
#include <cuda_runtime.h>

__global__ void kernel(int* lock, int* total, int* rounds) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) __nanosleep(100);
        __threadfence();
        *total += blockIdx.x;
        __threadfence();
        atomicExch(lock, 0);
        *rounds += 1;  // <- fault
    }
}

int main() {
    int* lock = nullptr;
    cudaMalloc(&lock, 1 * sizeof(int));
    cudaMemset(lock, 0, 1 * sizeof(int));
    int* total = nullptr;
    cudaMalloc(&total, 1 * sizeof(int));
    cudaMemset(total, 0, 1 * sizeof(int));
    int* rounds = nullptr;
    cudaMalloc(&rounds, 1 * sizeof(int));
    cudaMemset(rounds, 0, 1 * sizeof(int));
    kernel<<<16, 64>>>(lock, total, rounds);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(lock);
    cudaFree(total);
    cudaFree(rounds);
    return done != cudaSuccess;
}
