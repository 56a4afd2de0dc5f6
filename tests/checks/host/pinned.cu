// expect: none
// The host copies pinned memory by memcpy after the kernel that wrote it.
#include <cstring>
#include <cuda_runtime.h>

__global__ void kernel(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int *data = nullptr, values[64];
    cudaMallocHost(&data, sizeof(values));
    kernel<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    std::memcpy(values, data, sizeof(values));
    cudaFreeHost(data);
    return values[5] != 5;
}
