// expect: init global
// The memset gets the number of elements as the number of bytes, and sets a quarter of the array.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // <- fault
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 64 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    cudaMemset(in, 0, 64);
    kernel<<<1, 64>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
