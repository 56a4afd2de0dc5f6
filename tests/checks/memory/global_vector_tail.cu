// expect: memory global
// The last float4 reads two elements behind the array.
#include <cuda_runtime.h>

__global__ void kernel(const float4* in, float4* out, int n) {
    const int i = threadIdx.x;
    if (i < (n + 3) / 4) out[i] = in[i];  // <- fault
}

int main() {
    float* in = nullptr;
    cudaMalloc(&in, 102 * sizeof(float));
    cudaMemset(in, 0, 102 * sizeof(float));
    float* out = nullptr;
    cudaMalloc(&out, 104 * sizeof(float));
    cudaMemset(out, 0, 104 * sizeof(float));
    kernel<<<1, 32>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(out), 102);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
