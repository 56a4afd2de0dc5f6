// expect: memory shared
// The launch gives no dynamic shared memory at all.
#include <cuda_runtime.h>

extern __shared__ int tile[];

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    tile[i] = i;  // <- fault
    __syncthreads();
    out[i] = tile[31 - i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
