// expect: race shared
// An in-place prefix sum reads and writes the same cells in one phase.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = 1;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        if (i >= step) tile[i] += tile[i - step];  // <- fault
        __syncthreads();
    }
    out[i] = tile[i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
