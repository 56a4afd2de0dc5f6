// expect: none
// The host waits for the kernel before it reads managed memory.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int* data = nullptr;
    cudaMallocManaged(&data, 128 * sizeof(int));
    for (int i = 0; i < 128; ++i) data[i] = 0;
    fill<<<1, 128>>>(data);
    cudaDeviceSynchronize();
    const int value = data[5];
    cudaFree(data);
    return value != 5;
}
