// expect: race global
// Each thread whose value equals the wanted one stores its index: with equal values, any of the indices stays.
#include <cuda_runtime.h>

__global__ void kernel(const int* values, int wanted, int* index) {
    const int i = threadIdx.x;
    if (values[i] == wanted) *index = i;  // <- fault
}

int main() {
    int* values = nullptr;
    cudaMalloc(&values, 64 * sizeof(int));
    cudaMemset(values, 0, 64 * sizeof(int));
    int* index = nullptr;
    cudaMalloc(&index, 1 * sizeof(int));
    cudaMemset(index, 0, 1 * sizeof(int));
    kernel<<<1, 64>>>(values, 0, index);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(values);
    cudaFree(index);
    return done != cudaSuccess;
}
