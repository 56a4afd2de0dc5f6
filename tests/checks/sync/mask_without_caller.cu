// expect: sync mask
// All lanes call __syncwarp with a mask that names half of them.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int lane = threadIdx.x;
    if (lane < 16) tile[lane] = lane;
    __syncwarp(0x0000ffffu);  // <- fault
    out[lane] = tile[lane % 16];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
