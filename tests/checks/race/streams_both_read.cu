// expect: none
// Kernels of two unordered streams read the same buffer.
#include <cuda_runtime.h>

__global__ void copy(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    int* one = nullptr;
    cudaMalloc(&one, 128 * sizeof(int));
    cudaMemset(one, 0, 128 * sizeof(int));
    int* two = nullptr;
    cudaMalloc(&two, 128 * sizeof(int));
    cudaMemset(two, 0, 128 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    copy<<<1, 128, 0, a>>>(data, one);
    copy<<<1, 128, 0, b>>>(data, two);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(one);
    cudaFree(two);
    return done != cudaSuccess;
}
