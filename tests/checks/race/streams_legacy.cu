// expect: none
// A blocking stream and the legacy default stream wait for each other.
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
    cudaStream_t a;
    cudaStreamCreate(&a);
    produce<<<1, 128, 0, a>>>(data);
    consume<<<1, 128>>>(data, out);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
