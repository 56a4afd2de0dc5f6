// expect: none
// Memory of the stream is set, used and freed in the order of the stream.
#include <cuda_runtime.h>

__global__ void kernel(int* data) { data[threadIdx.x] += 1; }

int main() {
    int* data = nullptr;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync(reinterpret_cast<void**>(&data), 256, stream);
    cudaMemsetAsync(data, 0, 256, stream);
    kernel<<<1, 64, 0, stream>>>(data);
    cudaFreeAsync(data, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return 0;
}
