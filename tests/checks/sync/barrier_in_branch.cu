// expect: sync divergent
// Half of the block waits at a barrier in a branch, the other half goes on to the next one.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    if (i < 32) {
        __syncthreads();  // <- fault
        tile[i] += 1;
    }
    __syncthreads();
    out[i] = tile[63 - i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
