// expect: none
// Threads of a block exchange values through global memory across a barrier.
#include <cuda_runtime.h>

__global__ void kernel(int* scratch, int* out) {
    const int i = threadIdx.x;
    int* own = scratch + blockIdx.x * 128;
    own[i] = i;
    __syncthreads();
    out[blockIdx.x * 128 + i] = own[127 - i];
}

int main() {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 512 * sizeof(int));
    cudaMemset(scratch, 0, 512 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 512 * sizeof(int));
    cudaMemset(out, 0, 512 * sizeof(int));
    kernel<<<4, 128>>>(scratch, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaFree(out);
    return done != cudaSuccess;
}
