// expect: race host
// The host overwrites the pinned source of an asynchronous copy that may still read it.
#include <cuda_runtime.h>

int main() {
    int *data = nullptr, *source = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMallocHost(&source, 128 * sizeof(int));
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 128; ++i) source[i] = round;                             // <- fault
        cudaMemcpyAsync(data, source, 128 * sizeof(int), cudaMemcpyHostToDevice);    // <- fault
    }
    cudaDeviceSynchronize();
    cudaFreeHost(source);
    cudaFree(data);
    return 0;
}
