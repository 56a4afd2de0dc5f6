// expect: none
// The lanes that take part elect a leader, who reserves room for all by one atomic operation.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* cursor, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (in[i] != 0) return;
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(cursor, __popc(active));
    base = __shfl_sync(active, base, leader);
    out[base + __popc(active & ((1u << lane) - 1))] = i;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 256 * sizeof(int));
    cudaMemset(in, 0, 256 * sizeof(int));
    int* cursor = nullptr;
    cudaMalloc(&cursor, 1 * sizeof(int));
    cudaMemset(cursor, 0, 1 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(out, 0, 256 * sizeof(int));
    kernel<<<2, 128>>>(in, cursor, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(cursor);
    cudaFree(out);
    return done != cudaSuccess;
}
