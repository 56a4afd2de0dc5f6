// expect: none
// The first kernel writes all that the second reads.
#include <cuda_runtime.h>

__global__ void produce(int* data) { data[threadIdx.x] = 1; }
__global__ void consume(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    produce<<<1, 64>>>(data);
    consume<<<1, 64>>>(data, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
