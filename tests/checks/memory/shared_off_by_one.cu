// expect: memory shared
// The kernel's only shared array is overrun by one element.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i + 1] = i;  // <- fault
    __syncthreads();
    out[i] = tile[1];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
