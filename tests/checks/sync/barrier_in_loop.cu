// expect: sync divergent
// Threads take different numbers of rounds through a loop with a barrier.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    for (int round = 0; round < 1 + i / 32; ++round) {
        out[i] += round;
        __syncthreads();  // <- fault
    }
    out[i] += 1;
    __syncthreads();
    out[i] += 1;
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
