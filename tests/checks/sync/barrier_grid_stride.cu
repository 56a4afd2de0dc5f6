// expect: sync divergent
// The last round of a loop over elements lacks some threads, which then wait elsewhere.
#include <cuda_runtime.h>

__global__ void kernel(int* out, int n) {
    __shared__ int sum;
    const int i = threadIdx.x;
    if (i == 0) sum = 0;
    __syncthreads();
    for (int k = i; k < n; k += blockDim.x) {
        atomicAdd(&sum, k);
        __syncthreads();  // <- fault
    }
    __syncthreads();
    out[i] = sum;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(out, 96);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
