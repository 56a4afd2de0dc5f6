// expect: none
// A barrier of libcu++ orders the writes before it and the reads after it.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const int i = threadIdx.x;
    if (i == 0) init(&barrier, blockDim.x);
    __syncthreads();
    tile[i] = i;
    barrier.arrive_and_wait();
    out[i] = tile[127 - i];
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
