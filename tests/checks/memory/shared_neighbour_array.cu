// expect: memory shared
// The index runs over the end of one shared array into the next.
#include <cuda_runtime.h>

__global__ void kernel(int* out, int n) {
    __shared__ int tiles[2][32];
    const int i = threadIdx.x;
    __shared__ int guard[32];
    if (i < 32) {
        tiles[0][i] = i;
        tiles[1][i] = i;
        guard[i] = 0;
    }
    __syncthreads();
    for (int k = i; k < n; k += 64) (&tiles[0][0])[k] = k;  // <- fault
    __syncthreads();
    out[i] = tiles[i / 32][i % 32] + guard[i % 32];
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
