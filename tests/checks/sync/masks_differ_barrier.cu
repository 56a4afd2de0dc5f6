// expect: sync deadlock
// The masks of one __syncwarp overlap, and the barrier behind it never gets all threads.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    out[lane] = lane;
    __syncwarp(lane < 16 ? 0x0000ffffu : 0xffffffffu);  // <- fault
    __syncthreads();
    out[lane] += out[lane ^ 16];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 32>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
