// expect: none
// A loop takes the lanes that leave it out of the mask.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    unsigned mask = 0xffffffffu;
    for (int at = lane; at < 64; at += 20) {
        out[at] = __shfl_sync(mask, lane, 0);
        mask = __ballot_sync(mask, at + 20 < 64);
    }
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
