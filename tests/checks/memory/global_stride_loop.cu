// expect: none
// A loop over the grid's stride with a length that is no multiple of the stride.
#include <cuda_runtime.h>

__global__ void kernel(int* data, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        data[i] = i;
    }
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 301 * sizeof(int));
    cudaMemset(data, 0, 301 * sizeof(int));
    kernel<<<2, 64>>>(data, 301);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
