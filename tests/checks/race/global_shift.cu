// expect: race global
// A shift in place reads a cell that the next thread overwrites.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    const int i = threadIdx.x;
    if (i < 127) data[i] = data[i + 1];  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(data);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
