// expect: none
// Half of the lanes synchronises alone before all lanes do.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    out[lane] = lane;
    if (lane < 16) {
        __syncwarp(0x0000ffffu);
        out[lane] += 1;
    }
    __syncwarp();
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
