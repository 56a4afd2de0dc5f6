// expect: init shared
// A comparison reads keys behind the loaded ones; the flags of validity, which are tested later, hide its result.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int count, int* out) {
    __shared__ int keys[64];
    __shared__ bool valid[64];
    const int i = threadIdx.x;
    if (i < count) keys[i] = in[i];
    valid[i] = i < count;
    __syncthreads();
    const int other = i ^ 1;
    const bool greater = keys[i] > keys[other];  // <- fault
    out[i] = greater && valid[i] && valid[other];
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 50 * sizeof(int));
    cudaMemset(in, 0, 50 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(in, 49, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
