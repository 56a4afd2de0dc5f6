// expect: none
// Threads that find something all write the same constant to a flag; the barrier precedes its use.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    __shared__ int found;
    const int i = threadIdx.x;
    if (i == 0) found = 0;
    __syncthreads();
    if (in[i] == 0) found = 1;
    __syncthreads();
    out[i] = found;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 128 * sizeof(int));
    cudaMemset(in, 0, 128 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
