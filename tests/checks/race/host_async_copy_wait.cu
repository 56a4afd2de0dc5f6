// expect: none
// The host waits for the stream of the asynchronous copy before it reads.
#include <cuda_runtime.h>

int main() {
    int *data = nullptr, *back = nullptr;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMallocHost(&back, 128 * sizeof(int));
    cudaMemsetAsync(data, 0, 128 * sizeof(int), stream);
    cudaMemcpyAsync(back, data, 128 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    const int value = back[0];
    cudaStreamDestroy(stream);
    cudaFreeHost(back);
    cudaFree(data);
    return value;
}
