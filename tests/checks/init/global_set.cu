// expect: none
// The memory that the kernel reads was set by cudaMemset.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    kernel<<<1, 64>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
