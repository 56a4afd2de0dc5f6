// expect: none
// Each warp takes its own number of rounds with __syncwarp; a barrier follows for all.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = i;
    for (int round = 0; round <= i / 32; ++round) {
        __syncwarp();
        const int other = tile[i ^ 1];
        __syncwarp();
        tile[i] = other;
    }
    __syncthreads();
    out[i] = tile[127 - i];
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
