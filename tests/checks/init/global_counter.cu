// expect: init global
// The counter of an atomic addition was never cleared.
#include <cuda_runtime.h>

__global__ void kernel(int* counter) {
    atomicAdd(counter, 1);  // <- fault
}

int main() {
    int* counter = nullptr;
    cudaMalloc(&counter, 1 * sizeof(int));
    kernel<<<2, 64>>>(counter);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(counter);
    return done != cudaSuccess;
}
