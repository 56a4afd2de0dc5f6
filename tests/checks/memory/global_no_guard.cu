// expect: memory global
// The grid is rounded up, but nothing tests the index.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 100 * sizeof(int));
    cudaMemset(data, 0, 100 * sizeof(int));
    kernel<<<2, 64>>>(data);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
