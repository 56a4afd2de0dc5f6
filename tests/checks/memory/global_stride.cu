// expect: memory global
// The loop over the grid's stride starts each round one stride too late and has no test there.
#include <cuda_runtime.h>

__global__ void kernel(int* data, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        data[i + blockDim.x] = i;  // <- fault
    }
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 300 * sizeof(int));
    cudaMemset(data, 0, 300 * sizeof(int));
    kernel<<<1, 64>>>(data, 300);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
