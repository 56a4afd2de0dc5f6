// expect: sync divergent
// Two cases of a switch wait at their own barriers, and the third does not wait.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    switch (i / 32) {
        case 0:
            out[i] = 1;
            __syncthreads();  // <- fault
            break;
        case 1:
            out[i] = 2;
            __syncthreads();  // <- fault
            break;
        default: out[i] = 3;
    }
    out[i] += 1;
    __syncthreads();
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 96 * sizeof(int));
    cudaMemset(out, 0, 96 * sizeof(int));
    kernel<<<1, 96>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
