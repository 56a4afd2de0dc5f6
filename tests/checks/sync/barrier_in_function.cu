// expect: sync divergent
// A function that waits for the block is called by some threads only.
#include <cuda_runtime.h>

__device__ int exchange(int* tile, int value) {
    tile[threadIdx.x] = value;
    __syncthreads();  // <- fault
    return tile[threadIdx.x ^ 1];
}

__global__ void kernel(const int* in, int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    int value = in[i];
    if (i >= 32) value = exchange(tile, value);
    __syncthreads();
    out[i] = value;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
