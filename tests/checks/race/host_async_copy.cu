// expect: race host
// The host reads pinned memory before the asynchronous copy into it has ended.
#include <cuda_runtime.h>

int main() {
    int *data = nullptr, *back = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMallocHost(&back, 128 * sizeof(int));
    back[0] = 1;
    cudaMemset(data, 0, 128 * sizeof(int));
    cudaMemcpyAsync(back, data, 128 * sizeof(int), cudaMemcpyDeviceToHost);  // <- fault
    const int early = back[0];                                               // <- fault
    cudaDeviceSynchronize();
    cudaFreeHost(back);
    cudaFree(data);
    return early > 1;
}
