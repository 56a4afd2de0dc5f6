// expect: race shared
// Thread 0 clears the counter, but no barrier keeps the others from adding before.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;  // <- fault
    atomicAdd(&counter, 1);             // <- fault
    __syncthreads();
    out[threadIdx.x] = counter;
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
