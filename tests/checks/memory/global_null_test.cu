// expect: none
// The kernel tests for a null pointer before it writes.
#include <cuda_runtime.h>

__global__ void kernel(int* data, int* other) {
    if (data != nullptr) data[threadIdx.x] = 1;
    other[threadIdx.x] = 1;
}

int main() {
    int* other = nullptr;
    cudaMalloc(&other, 32 * sizeof(int));
    cudaMemset(other, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(nullptr, other);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(other);
    return done != cudaSuccess;
}
