// expect: none
// A stencil between two buffers: the order of the stream separates its steps.
#include <cuda_runtime.h>

__global__ void step(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (i > 0 ? in[i - 1] : 0) + 1;
}

int main() {
    int* a = nullptr;
    cudaMalloc(&a, 512 * sizeof(int));
    cudaMemset(a, 0, 512 * sizeof(int));
    int* b = nullptr;
    cudaMalloc(&b, 512 * sizeof(int));
    cudaMemset(b, 0, 512 * sizeof(int));
    step<<<4, 128>>>(a, b);
    step<<<4, 128>>>(b, a);
    step<<<4, 128>>>(a, b);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return done != cudaSuccess;
}
