// expect: memory global
// The index runs over the end of one array into another allocation.
#include <cuda_runtime.h>

__global__ void kernel(int* first, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) first[i] = i;  // <- fault
}

int main() {
    int* first = nullptr;
    cudaMalloc(&first, 128 * sizeof(int));
    cudaMemset(first, 0, 128 * sizeof(int));
    int* second = nullptr;
    cudaMalloc(&second, 128 * sizeof(int));
    cudaMemset(second, 0, 128 * sizeof(int));
    kernel<<<1, 64>>>(first, 256);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(first);
    cudaFree(second);
    return done != cudaSuccess;
}
