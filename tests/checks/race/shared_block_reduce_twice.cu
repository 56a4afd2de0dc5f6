// expect: race shared
// A block reduction is called twice; the second call overwrites sums that warp 0 still reads.
#include <cuda_runtime.h>

__device__ int block_sum(int value, int* sums) {
    const int i = threadIdx.x, lane = i % 32, warp = i / 32;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    if (lane == 0) sums[warp] = value;  // <- fault
    __syncthreads();
    value = 0;
    if (i == 0) {
        for (int w = 0; w < 8; ++w) value += sums[w];  // <- fault
    }
    return value;
}

__global__ void kernel(const int* in, int* out) {
    __shared__ int sums[8];
    const int first = block_sum(in[threadIdx.x], sums);
    const int second = block_sum(in[threadIdx.x] + 1, sums);
    if (threadIdx.x == 0) *out = first + second;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 256 * sizeof(int));
    cudaMemset(in, 0, 256 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 256>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
