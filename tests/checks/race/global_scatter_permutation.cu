// expect: none
// The scatter is a permutation: no two threads write the same cell.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    out[i * 37 % 512] = i;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 512 * sizeof(int));
    cudaMemset(out, 0, 512 * sizeof(int));
    kernel<<<4, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
