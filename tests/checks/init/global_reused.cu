// expect: init global
// Memory is allocated anew where written memory was freed; its content is not defined.
#include <cuda_runtime.h>

__global__ void produce(int* data) { data[threadIdx.x] = 1; }
__global__ void consume(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <- fault
}

int main() {
    int *data = nullptr, *out = nullptr;
    cudaMalloc(&out, 256);
    cudaMalloc(&data, 256);
    produce<<<1, 64>>>(data);
    cudaFree(data);
    cudaMalloc(&data, 256);
    consume<<<1, 64>>>(data, out);
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return 0;
}
