// expect: none
// All threads store partial sums and fence; after a barrier, one thread takes the ticket. The threads of the last block
// fence after a barrier and read. PyTorch's Reduce.cuh has this form.
#include <cuda_runtime.h>

__global__ void kernel(int* partial, unsigned* ticket, int* out) {
    __shared__ bool last;
    partial[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += partial[b * 64 + threadIdx.x];
        out[threadIdx.x] = sum;
    }
}

int main() {
    int* partial = nullptr;
    cudaMalloc(&partial, 16 * 64 * sizeof(int));
    cudaMemset(partial, 0, 16 * 64 * sizeof(int));
    unsigned* ticket = nullptr;
    cudaMalloc(&ticket, 1 * sizeof(unsigned));
    cudaMemset(ticket, 0, 1 * sizeof(unsigned));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<16, 64>>>(partial, ticket, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(partial);
    cudaFree(ticket);
    cudaFree(out);
    return done != cudaSuccess;
}
