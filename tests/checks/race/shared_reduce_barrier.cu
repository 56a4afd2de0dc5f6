// expect: none
// Each level of the tree of a sum ends with a barrier.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[256];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (i < half) tile[i] += tile[i + half];
        __syncthreads();
    }
    if (i == 0) *out = tile[0];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 256>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
