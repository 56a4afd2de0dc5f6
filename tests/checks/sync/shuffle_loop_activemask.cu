// expect: none
// A ballot in each round tells who goes on; only those lanes shuffle.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    int value = lane;
    unsigned mask = ~0u;
    for (int round = 0;; ++round) {
        mask = __ballot_sync(mask, round <= lane / 8);
        if (round > lane / 8) break;
        value += __shfl_xor_sync(mask, value, 1);
    }
    out[lane] = value;
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
