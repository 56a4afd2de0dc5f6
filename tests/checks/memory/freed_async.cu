// expect: memory freed
// Memory is freed in the order of the stream, and a later kernel of the stream uses it.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    data[threadIdx.x] = 1;  // <- fault
}

int main() {
    int* data = nullptr;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync(reinterpret_cast<void**>(&data), 64 * sizeof(int), stream);
    kernel<<<1, 64, 0, stream>>>(data);
    cudaFreeAsync(data, stream);
    kernel<<<1, 64, 0, stream>>>(data);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return 0;
}
