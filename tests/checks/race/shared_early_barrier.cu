// expect: race shared
// The barrier stands before the writes instead of after them.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    __syncthreads();
    tile[i] = i * i;             // <- fault
    out[i] = tile[127 - i];      // <- fault
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
