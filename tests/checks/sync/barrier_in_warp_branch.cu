// expect: sync divergent
// Half of a warp waits at a barrier in a branch.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    if (i % 2 == 0) {
        __syncthreads();  // <- fault
        out[i] = 1;
    }
    out[i] += 1;
    __syncthreads();
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
