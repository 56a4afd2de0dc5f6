// expect: none
// The host works on one half of managed memory, the kernel on the other; pages are shared.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int* data = nullptr;
    cudaMallocManaged(&data, 256 * sizeof(int));
    for (int i = 0; i < 256; ++i) data[i] = 0;
    fill<<<1, 128>>>(data);
    for (int i = 128; i < 256; ++i) data[i] = i;
    cudaDeviceSynchronize();
    const int value = data[5] + data[200];
    cudaFree(data);
    return value != 205;
}
