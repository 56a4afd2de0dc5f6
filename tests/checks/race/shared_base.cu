// expect: race shared
// Thread 0 sets the base index; the others read it without a barrier.
#include <cuda_runtime.h>

__global__ void kernel(int* cursor, int* out) {
    __shared__ int base;
    if (threadIdx.x == 0) base = atomicAdd(cursor, blockDim.x);  // <- fault
    out[threadIdx.x] = base;                                     // <- fault
}

int main() {
    int* cursor = nullptr;
    cudaMalloc(&cursor, 1 * sizeof(int));
    cudaMemset(cursor, 0, 1 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(cursor, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(cursor);
    cudaFree(out);
    return done != cudaSuccess;
}
