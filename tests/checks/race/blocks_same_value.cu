// expect: none
// Blocks that find a match all write the same constant to one flag, which the host reads.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] == 0) *found = 1;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 512 * sizeof(int));
    cudaMemset(in, 0, 512 * sizeof(int));
    int* found = nullptr;
    cudaMalloc(&found, 1 * sizeof(int));
    cudaMemset(found, 0, 1 * sizeof(int));
    kernel<<<4, 128>>>(in, found);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(found);
    return done != cudaSuccess;
}
