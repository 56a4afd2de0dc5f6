// expect: sync divergent
// The right side of && holds a barrier that only some threads evaluate.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    const int i = threadIdx.x;
    const bool all = i < 32 && __syncthreads_and(in[i] == 0);  // <- fault
    out[i] = all;
    __syncthreads();
    out[i] += 1;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
