// expect: none
// Lanes with equal keys, found by __match_any_sync, reduce among themselves.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    const int lane = threadIdx.x;
    const unsigned group = __match_any_sync(~0u, in[lane] + lane % 4);
    const int leader = __ffs(group) - 1;
    out[lane] = __shfl_sync(group, lane, leader);
    __syncwarp(group);
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
