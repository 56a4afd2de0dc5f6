// expect: race shared
// A thread reads the cell of its neighbour, which another warp writes, without a barrier between.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[256];
    const int i = threadIdx.x;
    tile[i] = i;                   // <- fault
    out[i] = tile[(i + 1) % 256];  // <- fault
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
