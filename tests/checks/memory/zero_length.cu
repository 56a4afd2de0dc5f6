// expect: none
// A loop over zero elements of an empty array reads nothing.
#include <cuda_runtime.h>

__global__ void kernel(const int* data, int n, int* out) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += data[i];
    out[threadIdx.x] = sum;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(nullptr, 0, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
