// expect: none
// All threads reach the barrier; then most return, and warp 0 works on alone.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    if (i >= 32) return;
    int sum = tile[i] + tile[i + 32] + tile[i + 64] + tile[i + 96];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (i == 0) *out = sum;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
