// expect: memory misaligned
// An int is read at an odd address.
#include <cuda_runtime.h>

__global__ void kernel(const char* in, int* out) {
    *out = *reinterpret_cast<const int*>(in + 1);  // <- fault
}

int main() {
    char* in = nullptr;
    cudaMalloc(&in, 8 * sizeof(char));
    cudaMemset(in, 0, 8 * sizeof(char));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 1>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
