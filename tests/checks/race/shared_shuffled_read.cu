// expect: race shared
// The end of a block's sum in PyTorch's layer_norm_kernel.cu: lane 1 reads a partial sum and gives it to lane 0 by a
// shuffle; lane 0 then stores the total where lane 1 has read. The value that lane 0 stores depends on the one that lane 1
// has read, so that no GPU can exchange the two accesses. But a shuffle orders no memory: CUDA promises this order only
// with __syncwarp.
#include <cuda_runtime.h>

__global__ void kernel(float* out) {
    __shared__ float parts[2];
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = 1;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    float sum = threadIdx.x < 2 ? parts[threadIdx.x] : 0;  // <- fault
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x == 0) parts[1] = sum;  // <- fault
    __syncwarp();
    out[threadIdx.x] = parts[1];
}

int main() {
    float* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(float));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
