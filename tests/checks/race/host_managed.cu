// expect: race host
// The host reads managed memory while the kernel that writes it may still run.
#include <cuda_runtime.h>

__global__ void fill(int* data) {
    data[threadIdx.x] = threadIdx.x;  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMallocManaged(&data, 128 * sizeof(int));
    fill<<<1, 128>>>(data);
    const int first = data[5];  // <- fault
    cudaDeviceSynchronize();
    const int second = data[5];
    cudaFree(data);
    return first > second;
}
