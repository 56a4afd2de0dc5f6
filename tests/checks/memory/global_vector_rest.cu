// expect: none
// Whole float4 first, then single elements for the rest.
#include <cuda_runtime.h>

__global__ void kernel(const float* in, float* out, int n) {
    const int i = threadIdx.x;
    if (i < n / 4) {
        reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
    }
    const int rest = n / 4 * 4 + i;
    if (rest < n) out[rest] = in[rest];
}

int main() {
    float* in = nullptr;
    cudaMalloc(&in, 102 * sizeof(float));
    cudaMemset(in, 0, 102 * sizeof(float));
    float* out = nullptr;
    cudaMalloc(&out, 102 * sizeof(float));
    cudaMemset(out, 0, 102 * sizeof(float));
    kernel<<<1, 32>>>(in, out, 102);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
