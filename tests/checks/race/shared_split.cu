// expect: none
// Dynamic shared memory is split into two arrays that do not overlap.
#include <cuda_runtime.h>

extern __shared__ int memory[];

__global__ void kernel(int* out) {
    int* first = memory;
    int* second = memory + 64;
    const int i = threadIdx.x;
    if (i < 64) {
        first[i] = i;
    } else {
        second[i - 64] = -i;
    }
    __syncthreads();
    out[i] = memory[127 - i];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128, 512>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
