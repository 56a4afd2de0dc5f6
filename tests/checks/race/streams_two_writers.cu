// expect: race streams
// Kernels of two unordered streams write the same buffer.
#include <cuda_runtime.h>

__global__ void fill(int* data, int value) {
    data[threadIdx.x] = value;  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    fill<<<1, 128, 0, a>>>(data, 1);
    fill<<<1, 128, 0, b>>>(data, 2);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
