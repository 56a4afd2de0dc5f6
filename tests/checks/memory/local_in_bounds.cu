// expect: none
// A local array with indices that only the data determine, all in bounds.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = in[i];
    for (int i = 0; i < 16; ++i) own[(in[i] + i) & 7] += i;
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
    kernel<<<1, 1>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
