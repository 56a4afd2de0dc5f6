// expect: race global
// Threads of a block exchange values through global memory without a barrier.
#include <cuda_runtime.h>

__global__ void kernel(int* scratch, int* out) {
    const int i = threadIdx.x;
    scratch[i] = i;               // <- fault
    out[i] = scratch[127 - i];    // <- fault
}

int main() {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 128 * sizeof(int));
    cudaMemset(scratch, 0, 128 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(scratch, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaFree(out);
    return done != cudaSuccess;
}
