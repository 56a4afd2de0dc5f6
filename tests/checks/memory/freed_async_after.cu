// expect: none
// Memory of the stream is freed after the last kernel in the order of the stream.
#include <cuda_runtime.h>

__global__ void kernel(int* data) { data[threadIdx.x] = 1; }

int main() {
    int* data = nullptr;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync(reinterpret_cast<void**>(&data), 64 * sizeof(int), stream);
    kernel<<<1, 64, 0, stream>>>(data);
    kernel<<<1, 64, 0, stream>>>(data);
    cudaFreeAsync(data, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return 0;
}
