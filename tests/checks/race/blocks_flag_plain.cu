// expect: race blocks
// Block 1 waits for a plain flag and then reads data that nothing orders before the flag.
#include <cuda_runtime.h>

__global__ void kernel(volatile int* flag, int* data, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;   // <- fault
        *flag = 1;    // <- fault
    } else {
        while (*flag == 0) __nanosleep(100);  // <- fault
        *out = *data;                         // <- fault
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
