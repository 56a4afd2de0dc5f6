// expect: memory shared
// The second launch of a kernel gives less dynamic shared memory than the first one.
#include <cuda_runtime.h>

extern __shared__ int tile[];

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    tile[i] = i;  // <- fault
    __syncthreads();
    out[i] = tile[127 - i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128, 512>>>(out);
    kernel<<<1, 128, 256>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
