// expect: race global
// Lanes of one warp exchange values through global memory without __syncwarp.
#include <cuda_runtime.h>

__global__ void kernel(int* scratch, int* out) {
    const int lane = threadIdx.x;
    scratch[lane] = lane + 1;         // <- fault
    out[lane] = scratch[31 - lane];   // <- fault
}

int main() {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 32 * sizeof(int));
    cudaMemset(scratch, 0, 32 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(scratch, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaFree(out);
    return done != cudaSuccess;
}
