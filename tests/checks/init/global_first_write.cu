// expect: none
// The first round writes the output, the later ones add to it.
#include <cuda_runtime.h>

__global__ void kernel(const float* in, float* out) {
    out[threadIdx.x] = in[threadIdx.x];
    for (int k = 1; k < 4; ++k) out[threadIdx.x] += in[k * 64 + threadIdx.x];
}

int main() {
    float* in = nullptr;
    cudaMalloc(&in, 256 * sizeof(float));
    cudaMemset(in, 0, 256 * sizeof(float));
    float* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(float));
    kernel<<<1, 64>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
