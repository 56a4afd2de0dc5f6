// expect: race streams
// A memset in one stream and a kernel in another touch the same buffer.
#include <cuda_runtime.h>

__global__ void add(int* data) {
    data[threadIdx.x] += 1;  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMemsetAsync(data, 0, 512, a);
    add<<<1, 128, 0, b>>>(data);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
