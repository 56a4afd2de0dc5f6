// expect: host device-memory
// The host copies memory of the device by memcpy.
#include <cstring>
#include <cuda_runtime.h>

__global__ void kernel(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int *data = nullptr, values[64];
    cudaMalloc(&data, sizeof(values));
    kernel<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    std::memcpy(values, data, sizeof(values));  // <- fault
    cudaFree(data);
    return values[5] != 5;
}
