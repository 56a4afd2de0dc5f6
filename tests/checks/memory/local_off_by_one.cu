// expect: memory local
// A local array is overrun by an index that the compiler does not know.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out, int n) {
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = in[i];
    for (int i = 0; i <= n; ++i) own[(in[i] + i) & 15] += i;  // <- fault
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += own[i];
    *out = sum;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 16 * sizeof(int));
    cudaMemset(in, 0, 16 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 1>>>(in, out, 8);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
