// expect: none
// All threads take the same number of rounds; the body is conditional, the barrier is not.
#include <cuda_runtime.h>

__global__ void kernel(int* out, int n) {
    const int i = threadIdx.x;
    for (int begin = 0; begin < n; begin += blockDim.x) {
        if (begin + i < n) out[begin + i] += 1;
        __syncthreads();
    }
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 100 * sizeof(int));
    cudaMemset(out, 0, 100 * sizeof(int));
    kernel<<<1, 64>>>(out, 100);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
