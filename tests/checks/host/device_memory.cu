// expect: host device-memory
// The host reads memory of the device directly.
#include <cuda_runtime.h>

__global__ void kernel(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    kernel<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    const int value = data[5];  // <- fault
    cudaFree(data);
    return value != 5;
}
