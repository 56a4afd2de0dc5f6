// expect: none
// The same call synchronises half of the lanes first, then all lanes.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    for (unsigned mask = lane < 16 ? 0x0000ffffu : 0xffffffffu;; mask = 0xffffffffu) {
        out[lane] += 1;
        __syncwarp(mask);
        if (mask == 0xffffffffu) break;
    }
    out[lane] += 1;
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
