// expect: none
// Shuffles in segments of 8 lanes: sources stay in the own segment.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    int value = lane;
    for (int offset = 4; offset > 0; offset /= 2) {
        value += __shfl_down_sync(~0u, value, offset, 8);
    }
    out[lane] = __shfl_sync(~0u, value, 0, 8);
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
