// expect: none
// An int is put together from bytes at an odd address.
#include <cuda_runtime.h>

__global__ void kernel(const unsigned char* in, int* out) {
    unsigned value = 0;
    for (int i = 0; i < 4; ++i) value |= static_cast<unsigned>(in[1 + i]) << (8 * i);
    *out = value;
}

int main() {
    unsigned char* in = nullptr;
    cudaMalloc(&in, 8 * sizeof(unsigned char));
    cudaMemset(in, 0, 8 * sizeof(unsigned char));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 1>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
