// expect: none
// Values are read, then __syncwarp, then written, then __syncwarp again: ordered in a warp.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    if (i < 32) {
        int sum = tile[i] + tile[i + 32];
        for (int half = 16; half > 0; half /= 2) {
            __syncwarp();
            tile[i] = sum;
            __syncwarp();
            sum += tile[(i + half) % 32];
        }
        if (i == 0) *out = sum;
    }
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
