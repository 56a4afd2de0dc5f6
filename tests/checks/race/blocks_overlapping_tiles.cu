// expect: race blocks
// The tiles that blocks write overlap by one row.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int row = blockIdx.x * 7 + threadIdx.y;
    out[row * 32 + threadIdx.x] = blockIdx.x;  // <- fault
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1024 * sizeof(int));
    cudaMemset(out, 0, 1024 * sizeof(int));
    kernel<<<4, dim3(32, 8)>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
