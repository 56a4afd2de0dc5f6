// expect: memory local
// An index far behind a local array.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = in[i];
    *out = own[in[0] + (1 << 22)];  // <- fault
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 8 * sizeof(int));
    cudaMemset(in, 0, 8 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 1>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
