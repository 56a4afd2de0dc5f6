// expect: memory global
// The index is multiplied twice by the element's size and points far behind the array.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    const int i = threadIdx.x;
    data[i * sizeof(int)] = i;  // <- fault
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
