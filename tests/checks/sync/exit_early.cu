// expect: none
// Threads without an element return; the barrier waits for those that remain.
#include <cuda_runtime.h>

__global__ void kernel(int* out, int n) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (i >= n) return;
    tile[i] = i;
    __syncthreads();
    out[i] = tile[n - 1 - i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(out, 32);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
