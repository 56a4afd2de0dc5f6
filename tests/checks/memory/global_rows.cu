// expect: none
// A matrix that is not square, indexed by row and column.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    const int column = threadIdx.x, row = threadIdx.y;  // 20 columns, 10 rows
    data[row * 20 + column] = row;
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 200 * sizeof(int));
    cudaMemset(data, 0, 200 * sizeof(int));
    kernel<<<1, dim3(20, 10)>>>(data);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
