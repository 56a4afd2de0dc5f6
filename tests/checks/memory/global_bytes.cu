// expect: none
// An offset in bytes is added to a pointer to bytes.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    const int i = threadIdx.x;
    auto* bytes = reinterpret_cast<char*>(data);
    *reinterpret_cast<int*>(bytes + i * sizeof(int)) = i;
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
