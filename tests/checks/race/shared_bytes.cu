// expect: race shared
// Bytes of words that other threads write are read without a barrier.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ unsigned words[32];
    const int i = threadIdx.x;
    if (i < 32) words[i] = i * 0x01010101u;                  // <- fault
    const auto* bytes = reinterpret_cast<unsigned char*>(words);
    out[i] = bytes[i];                                       // <- fault
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
