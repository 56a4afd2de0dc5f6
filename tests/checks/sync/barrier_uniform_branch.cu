// expect: none
// The branch depends on the block only: all of its threads reach the barrier, or none.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    if (blockIdx.x % 2 == 0) {
        __syncthreads();
        out[blockIdx.x * 64 + i] = tile[63 - i];
    }
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(out, 0, 256 * sizeof(int));
    kernel<<<4, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
