// expect: race shared
// Two arrays in dynamic shared memory overlap by one element.
#include <cuda_runtime.h>

extern __shared__ int memory[];

__global__ void kernel(int* out) {
    int* first = memory;
    int* second = memory + 63;
    const int i = threadIdx.x;
    if (i < 64) {
        first[i] = i;            // <- fault
    } else {
        second[i - 64] = -i;     // <- fault
    }
    __syncthreads();
    out[i] = memory[i];
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
