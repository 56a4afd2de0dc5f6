// expect: sync divergent
// Each side of a branch has its own barrier; threads of one block wait at different ones.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (i < 32) {
        tile[i] = i;
        __syncthreads();  // <- fault
    } else {
        tile[i] = -i;
        __syncthreads();  // <- fault
    }
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
