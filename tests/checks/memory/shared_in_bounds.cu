// expect: none
// A shared array has room for the halo on both sides.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[66];
    const int i = threadIdx.x;
    tile[i + 1] = i;
    if (i < 2) tile[i * 65] = 0;
    __syncthreads();
    out[i] = tile[i] + tile[i + 2];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
