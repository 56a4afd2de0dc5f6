// expect: none
// One thread, chosen by its index, writes the cell that all read after the barrier.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int last;
    if (threadIdx.x == 77) last = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = last;
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
