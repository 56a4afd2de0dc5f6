// expect: none
// The consumer's stream waits for an event after the producer.
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
    cudaEvent_t ready;
    cudaEventCreate(&ready);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    produce<<<1, 128, 0, a>>>(data);
    cudaEventRecord(ready, a);
    cudaStreamWaitEvent(b, ready, 0);
    consume<<<1, 128, 0, b>>>(data, out);
    cudaDeviceSynchronize();
    cudaEventDestroy(ready);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
