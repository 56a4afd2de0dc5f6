// expect: memory global
// A __device__ array has 16 elements; thread 16 reads behind it.
#include <cuda_runtime.h>

__device__ int table[16];

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    if (i <= 16) out[i] = table[i];  // <- fault
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
