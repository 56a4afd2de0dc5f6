// expect: none
// The prefix sum reads, waits, writes and waits.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = 1;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        const int other = i >= step ? tile[i - step] : 0;
        __syncthreads();
        tile[i] += other;
        __syncthreads();
    }
    out[i] = tile[i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
