// expect: init shared
// Shared memory keeps nothing from one block to the next.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int kept[64];
    const int i = threadIdx.x;
    if (blockIdx.x == 0) kept[i] = i;
    __syncthreads();
    out[blockIdx.x * 64 + i] = kept[i];  // <- fault
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<2, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
