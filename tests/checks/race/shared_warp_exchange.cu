// expect: race shared
// Lanes of one warp exchange values through shared memory without __syncwarp.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int lane = threadIdx.x;
    tile[lane] = lane;            // <- fault
    out[lane] = tile[lane ^ 1];   // <- fault
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
