// expect: race blocks
// A stencil in place: a block reads the last cell of the block before, which that block writes.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int left = i > 0 ? data[i - 1] : 0;  // <- fault
    __syncthreads();
    data[i] = left + 1;                        // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 512 * sizeof(int));
    cudaMemset(data, 0, 512 * sizeof(int));
    kernel<<<4, 128>>>(data);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
