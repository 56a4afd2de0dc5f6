// expect: none
// A float4 is read at a multiple of 16 bytes inside an array.
#include <cuda_runtime.h>

__global__ void kernel(const float* in, float4* out) {
    *out = *reinterpret_cast<const float4*>(in + 4);
}

int main() {
    float* in = nullptr;
    cudaMalloc(&in, 8 * sizeof(float));
    cudaMemset(in, 0, 8 * sizeof(float));
    float* out = nullptr;
    cudaMalloc(&out, 4 * sizeof(float));
    cudaMemset(out, 0, 4 * sizeof(float));
    kernel<<<1, 1>>>(in, reinterpret_cast<float4*>(out));
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
