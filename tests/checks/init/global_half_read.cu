// expect: none
// Only the part of the array that was set is read.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 64 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 0, 128);
    kernel<<<1, 32>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
