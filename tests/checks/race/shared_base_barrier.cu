// expect: none
// Thread 0 reserves room for its block, and the barrier publishes the base index.
#include <cuda_runtime.h>

__global__ void kernel(int* cursor, int* out) {
    __shared__ int base;
    if (threadIdx.x == 0) base = atomicAdd(cursor, blockDim.x);
    __syncthreads();
    out[base + threadIdx.x] = blockIdx.x;
}

int main() {
    int* cursor = nullptr;
    cudaMalloc(&cursor, 1 * sizeof(int));
    cudaMemset(cursor, 0, 1 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 512 * sizeof(int));
    cudaMemset(out, 0, 512 * sizeof(int));
    kernel<<<4, 128>>>(cursor, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(cursor);
    cudaFree(out);
    return done != cudaSuccess;
}
