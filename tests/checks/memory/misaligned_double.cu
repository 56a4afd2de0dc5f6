// expect: memory misaligned
// A double is written at an address that is a multiple of 4 only.
#include <cuda_runtime.h>

__global__ void kernel(float* data) {
    const int i = threadIdx.x;
    *reinterpret_cast<double*>(data + 2 * i + 1) = i;  // <- fault
}

int main() {
    float* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(float));
    cudaMemset(data, 0, 64 * sizeof(float));
    kernel<<<1, 16>>>(data);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
