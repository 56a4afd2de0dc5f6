// expect: race blocks
// The last block reads partial sums, but no fence orders those sums before the ticket.
#include <cuda_runtime.h>

__global__ void kernel(int* partial, unsigned* ticket, int* out) {
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;  // <- fault
        if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
            int sum = 0;
            for (int b = 0; b < gridDim.x; ++b) sum += partial[b];  // <- fault
            *out = sum;
        }
    }
}

int main() {
    int* partial = nullptr;
    cudaMalloc(&partial, 16 * sizeof(int));
    cudaMemset(partial, 0, 16 * sizeof(int));
    unsigned* ticket = nullptr;
    cudaMalloc(&ticket, 1 * sizeof(unsigned));
    cudaMemset(ticket, 0, 1 * sizeof(unsigned));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<16, 64>>>(partial, ticket, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(partial);
    cudaFree(ticket);
    cudaFree(out);
    return done != cudaSuccess;
}
