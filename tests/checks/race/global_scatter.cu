// expect: race global
// Two threads scatter different values to the same cell.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    out[i / 2] = i;  // <- fault
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
