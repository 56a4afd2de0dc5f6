// expect: none
// Threads increment bins in shared memory by atomicAdd, then add the bins to the total.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int bins[8];
    const int i = threadIdx.x;
    if (i < 8) bins[i] = 0;
    __syncthreads();
    atomicAdd(&bins[i * 5 % 8], 1);
    __syncthreads();
    if (i < 8) atomicAdd(&out[i], bins[i]);
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMemset(out, 0, 8 * sizeof(int));
    kernel<<<4, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
