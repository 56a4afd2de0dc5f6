// expect: none
// Lanes of each warp exchange values in the warp's own part of shared memory, by __syncwarp.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[4][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int round = 0; round < 3; ++round) {
        tile[warp][lane] = lane + round;
        __syncwarp();
        out[threadIdx.x] += tile[warp][lane ^ 1];
        __syncwarp();
    }
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
