// expect: none
// A function with a barrier is called from two places by all threads.
#include <cuda_runtime.h>

__device__ int exchange(int* tile, int value) {
    __syncthreads();
    tile[threadIdx.x] = value;
    __syncthreads();
    return tile[threadIdx.x ^ 33];
}

__global__ void kernel(const int* in, int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    out[i] = exchange(tile, exchange(tile, in[i]) + 1);
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
