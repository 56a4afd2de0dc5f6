// expect: none
// The neighbours' indices are clamped to the array.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    const int i = threadIdx.x;
    out[i] = in[max(i - 1, 0)] + in[min(i + 1, 127)];
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 128 * sizeof(int));
    cudaMemset(in, 0, 128 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
