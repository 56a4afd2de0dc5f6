// expect: none
// Each side of a branch has a barrier, and all threads of a block take the same side.
#include <cuda_runtime.h>

__global__ void kernel(int* out, int mode) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (mode == 0) {
        tile[i] = i;
        __syncthreads();
    } else {
        tile[i] = -i;
        __syncthreads();
    }
    out[i] = tile[63 - i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(out, 0);
    kernel<<<1, 64>>>(out, 1);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
