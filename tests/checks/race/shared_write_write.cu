// expect: race shared
// All threads write different values to one cell.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int last;
    last = threadIdx.x;  // <- fault
    __syncthreads();
    if (threadIdx.x == 0) *out = last;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
