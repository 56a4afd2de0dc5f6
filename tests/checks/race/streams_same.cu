// expect: none
// A memset and a kernel in the same stream run in order.
#include <cuda_runtime.h>

__global__ void add(int* data) { data[threadIdx.x] += 1; }

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t a;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaMemsetAsync(data, 0, 512, a);
    add<<<1, 128, 0, a>>>(data);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
