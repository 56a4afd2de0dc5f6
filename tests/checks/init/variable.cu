// expect: none
// Variables of the device without an initialiser are zero.
#include <cuda_runtime.h>

__device__ int counters[64];

__global__ void kernel(int* out) {
    atomicAdd(&counters[threadIdx.x], 1);
    out[threadIdx.x] = counters[threadIdx.x];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
