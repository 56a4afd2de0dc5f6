// expect: memory shared
// An atomic addition far behind the bins in shared memory.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    __shared__ int bins[8];
    const int i = threadIdx.x;
    if (i < 8) bins[i] = 0;
    __syncthreads();
    atomicAdd(&bins[in[i] + i * 64], 1);  // <- fault
    __syncthreads();
    if (i < 8) out[i] = bins[i];
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMemset(out, 0, 8 * sizeof(int));
    kernel<<<1, 32>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
