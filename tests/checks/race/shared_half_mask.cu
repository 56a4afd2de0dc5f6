// expect: race shared
// Each half of the warp waits for itself only, but reads values of the other half.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int lane = threadIdx.x;
    tile[lane] = lane;                          // <- fault
    __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
    out[lane] = tile[(lane + 16) % 32];         // <- fault
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
