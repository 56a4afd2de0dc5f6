// expect: none
// One allocation holds two arrays, and the kernel crosses from one to the other on purpose.
#include <cuda_runtime.h>

__global__ void kernel(int* both, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) both[i] = i;
}

int main() {
    int* both = nullptr;
    cudaMalloc(&both, 256 * sizeof(int));
    cudaMemset(both, 0, 256 * sizeof(int));
    kernel<<<1, 64>>>(both, 256);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(both);
    return done != cudaSuccess;
}
