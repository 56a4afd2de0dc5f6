// expect: none
// A stencil whose first threads load the halo before the barrier.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    __shared__ int tile[130];
    const int i = threadIdx.x;
    tile[i + 1] = in[i + 1];
    if (i == 0) tile[0] = in[0];
    if (i == 1) tile[129] = in[129];
    __syncthreads();
    out[i] = tile[i] + tile[i + 2];
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 130 * sizeof(int));
    cudaMemset(in, 0, 130 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
