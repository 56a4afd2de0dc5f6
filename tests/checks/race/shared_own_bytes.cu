// expect: none
// Each thread reads and writes its own byte; four threads share a word.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ unsigned char bytes[128];
    const int i = threadIdx.x;
    bytes[i] = i;
    bytes[i] += 3;
    out[i] = bytes[i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
