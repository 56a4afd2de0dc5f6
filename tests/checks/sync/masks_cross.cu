// expect: sync deadlock
// Two groups of lanes wait for each other, because each mask names lanes of the other group.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    out[lane] = lane;
    __syncwarp(lane < 16 ? 0x00ffffffu : 0xffffff00u);  // <- fault
    out[lane ^ 1] += 1;
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
