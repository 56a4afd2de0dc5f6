// expect: none
// The grid is rounded up, and a test keeps the last threads from writing.
#include <cuda_runtime.h>

__global__ void kernel(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 100 * sizeof(int));
    cudaMemset(data, 0, 100 * sizeof(int));
    kernel<<<2, 64>>>(data, 100);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
