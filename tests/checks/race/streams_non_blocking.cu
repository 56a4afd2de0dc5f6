// expect: race streams
// A non-blocking stream does not wait for the default stream.
#include <cuda_runtime.h>

__global__ void produce(int* data) {
    data[threadIdx.x] = threadIdx.x;       // <- fault
}
__global__ void consume(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t a;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    produce<<<1, 128>>>(data);
    consume<<<1, 128, 0, a>>>(data, out);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
