// expect: none
// __syncthreads_or is a barrier as well: it orders the writes before it and the reads after it.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = in[i];
    const int any = __syncthreads_or(in[i] > 0);
    out[i] = tile[127 - i] + any;
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
