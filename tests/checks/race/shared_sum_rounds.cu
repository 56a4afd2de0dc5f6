// expect: none
// Two barriers a round protect the broadcast value before and after its use.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int sum;
    int total = 0;
    for (int round = 0; round < 4; ++round) {
        if (threadIdx.x == 0) sum = round;
        __syncthreads();
        total += sum;
        __syncthreads();
    }
    out[threadIdx.x] = total;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
