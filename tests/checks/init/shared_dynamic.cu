// expect: init shared
// Dynamic shared memory is read where the warp sums of missing warps would be.
#include <cuda_runtime.h>

extern __shared__ int sums[];

__global__ void kernel(const int* in, int* out) {
    const int i = threadIdx.x, lane = i % 32;
    int value = in[i];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    if (lane == 0) sums[i / 32] = value;
    __syncthreads();
    if (i < 32) {
        value = sums[lane];  // <- fault
        for (int offset = 16; offset > 0; offset /= 2) {
            value += __shfl_down_sync(~0u, value, offset);
        }
        if (i == 0) *out = value;
    }
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 128 * sizeof(int));
    cudaMemset(in, 0, 128 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 128, 128>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
