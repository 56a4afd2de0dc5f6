// expect: none
// The barrier orders the writes of all threads before the reads of the neighbours.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[256];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    out[i] = tile[(i + 1) % 256];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(out, 0, 256 * sizeof(int));
    kernel<<<1, 256>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
