// expect: race blocks
// One thread of each block increments a counter without an atomic operation.
#include <cuda_runtime.h>

__global__ void kernel(int* counter) {
    if (threadIdx.x == 0) *counter += 1;  // <- fault
}

int main() {
    int* counter = nullptr;
    cudaMalloc(&counter, 1 * sizeof(int));
    cudaMemset(counter, 0, 1 * sizeof(int));
    kernel<<<16, 64>>>(counter);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(counter);
    return done != cudaSuccess;
}
