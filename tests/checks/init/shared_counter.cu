// expect: init shared
// A counter in shared memory is added to without being cleared.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int counter;
    atomicAdd(&counter, 1);  // <- fault
    __syncthreads();
    if (threadIdx.x == 0) *out = counter;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
