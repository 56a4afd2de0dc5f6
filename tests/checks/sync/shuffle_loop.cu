// expect: sync mask
// Lanes leave a loop at different times, but the shuffle's mask names all of them.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    int value = lane;
    for (int round = 0; round <= lane / 8; ++round) {
        value += __shfl_xor_sync(0xffffffffu, value, 1);  // <- fault
    }
    out[lane] = value;
    value = __shfl_xor_sync(0xffffffffu, value, 2);
    out[lane] += value;
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
