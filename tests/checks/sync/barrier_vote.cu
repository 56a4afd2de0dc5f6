// expect: none
// A loop that ends for all threads at once by __syncthreads_or.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    int left = i;
    while (__syncthreads_or(left > 0)) {
        if (left > 0) left -= 8;
    }
    out[i] = left;
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
