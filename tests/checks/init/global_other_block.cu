// expect: none
// One block writes, the next kernel's other blocks read; each byte was written before.
#include <cuda_runtime.h>

__global__ void produce(char* data) { data[blockIdx.x * 64 + threadIdx.x] = 1; }
__global__ void consume(const int* data, int* out) {
    const int i = blockIdx.x * 16 + threadIdx.x;
    out[i] = data[i];
}

int main() {
    char* data = nullptr;
    cudaMalloc(&data, 256 * sizeof(char));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    produce<<<4, 64>>>(data);
    consume<<<4, 16>>>(reinterpret_cast<int*>(data), out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
