// expect: memory shared
// A negative index before the shared array.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    out[i] = tile[i - 1];  // <- fault
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
