// expect: none
// A kernel reads and writes pinned memory of the host.
#include <cuda_runtime.h>

__global__ void kernel(int* data) { data[threadIdx.x] += 1; }

int main() {
    int* data = nullptr;
    cudaMallocHost(&data, 100 * sizeof(int));
    for (int i = 0; i < 100; ++i) data[i] = i;
    kernel<<<1, 100>>>(data);
    cudaDeviceSynchronize();
    cudaFreeHost(data);
    return 0;
}
