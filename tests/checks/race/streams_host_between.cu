// expect: none
// The host waits for the first stream before it launches into the second.
#include <cuda_runtime.h>

__global__ void produce(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void consume(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    produce<<<1, 128, 0, a>>>(data);
    cudaStreamSynchronize(a);
    consume<<<1, 128, 0, b>>>(data, out);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
