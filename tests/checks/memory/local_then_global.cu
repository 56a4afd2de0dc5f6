// expect: memory global
// One line accesses a local array, then memory of the device, and at last the element behind it.
#include <cuda_runtime.h>

__device__ __noinline__ void set(int* place, int value) {
    *place = value;  // <- fault
}

__global__ void kernel(int* data, int n) {
    int local[4];
    for (int i = 0; i < 4; ++i) set(local + i, i);
    for (int i = 0; i <= n; ++i) set(data + i, local[i % 4]);
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 100 * sizeof(int));
    kernel<<<1, 1>>>(data, 100);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
