// expect: none
// Thread 0 clears the counter in shared memory, and a barrier follows.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    atomicAdd(&counter, 1);
    __syncthreads();
    if (threadIdx.x == 0) *out = counter;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
