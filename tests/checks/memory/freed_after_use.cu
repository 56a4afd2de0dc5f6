// expect: none
// Memory is freed after the last kernel that uses it; cudaFree waits for that kernel.
#include <cuda_runtime.h>

__global__ void kernel(int* data) { data[threadIdx.x] = 1; }

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    kernel<<<1, 64>>>(data);
    kernel<<<1, 64>>>(data);
    cudaFree(data);
    cudaDeviceSynchronize();
    return 0;
}
