// expect: sync mask
// Lanes of one warp call the same __syncwarp with different masks that overlap.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    out[lane] = lane;
    __syncwarp(lane < 16 ? 0x0000ffffu : 0xffffffffu);  // <- fault
    out[lane ^ 1] += 1;
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
