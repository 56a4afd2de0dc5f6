// expect: init global
// The first kernel writes all but the last element; the second reads all.
#include <cuda_runtime.h>

__global__ void produce(int* data, int n) {
    if (threadIdx.x < n - 1) data[threadIdx.x] = 1;
}
__global__ void consume(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    produce<<<1, 64>>>(data, 64);
    consume<<<1, 64>>>(data, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
