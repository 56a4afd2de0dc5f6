// expect: none
// One thread of each block increments a counter by atomicAdd.
#include <cuda_runtime.h>

__global__ void kernel(int* counter) {
    if (threadIdx.x == 0) atomicAdd(counter, 1);
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
