// expect: race shared
// A reduction over y is followed by one over x in the same memory, without a barrier between.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[256];
    const int x = threadIdx.x, y = threadIdx.y, i = y * 64 + x;
    tile[i] = i;
    for (int half = 2; half > 0; half /= 2) {
        __syncthreads();
        if (y < half) tile[i] += tile[i + half * 64];  // <- fault
    }
    if (y == 0) {
        int sum = x < 32 ? tile[x] + tile[x + 32] : 0;  // <- fault
        out[x] = sum;
    }
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, dim3(64, 4)>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
