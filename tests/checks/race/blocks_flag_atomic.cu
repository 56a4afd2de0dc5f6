// expect: none
// Block 1 waits for an atomic flag; fences order the data before and after it.
#include <cuda_runtime.h>

__global__ void kernel(int* flag, int* data, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) __nanosleep(100);
        __threadfence();
        *out = *data;
    }
}

int main() {
    int* flag = nullptr;
    cudaMalloc(&flag, 1 * sizeof(int));
    cudaMemset(flag, 0, 1 * sizeof(int));
    int* data = nullptr;
    cudaMalloc(&data, 1 * sizeof(int));
    cudaMemset(data, 0, 1 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<2, 1>>>(flag, data, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(flag);
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
