// expect: race shared
// Several threads increment one bin without an atomic operation.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int bins[8];
    const int i = threadIdx.x;
    if (i < 8) bins[i] = 0;
    __syncthreads();
    bins[i * 5 % 8]++;  // <- fault
    __syncthreads();
    if (i < 8) out[i] = bins[i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMemset(out, 0, 8 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
