// expect: none
// The host reads a copy of memory of the device.
#include <cuda_runtime.h>

__global__ void kernel(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int *data = nullptr, value = 0;
    cudaMalloc(&data, 64 * sizeof(int));
    kernel<<<1, 64>>>(data);
    cudaMemcpy(&value, data + 5, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(data);
    return value != 5;
}
