// expect: memory global
// The last thread passes the test i <= n and writes behind the array.
#include <cuda_runtime.h>

__global__ void kernel(int* data, int n) {
    const int i = threadIdx.x;
    if (i <= n) data[i] = i;  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 100 * sizeof(int));
    cudaMemset(data, 0, 100 * sizeof(int));
    kernel<<<1, 128>>>(data, 100);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
