// expect: none
// As shared_shuffled_read.cu, with __syncwarp between the read and the write.
#include <cuda_runtime.h>

__global__ void kernel(float* out) {
    __shared__ float parts[2];
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = 1;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    float sum = threadIdx.x < 2 ? parts[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    __syncwarp();
    if (threadIdx.x == 0) parts[1] = sum;
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
