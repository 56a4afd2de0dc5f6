// expect: none
// The reduction of shared_y_then_x_wide with a barrier between its two parts.
#include <cuda_runtime.h>

__device__ float reduce_y(float value, float* tile) {
    const int at = threadIdx.y * blockDim.x + threadIdx.x;
    tile[at] = value;
    for (int offset = blockDim.y / 2; offset > 0; offset /= 2) {
        __syncthreads();
        if (threadIdx.y < offset) {
            value += tile[at + offset * blockDim.x];
            tile[at] = value;
        }
    }
    return value;
}

__device__ float reduce_x(float value, float* tile) {
    const int at = threadIdx.y * blockDim.x + threadIdx.x;
    tile[at] = value;
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
        __syncthreads();
        if (threadIdx.x < offset) {
            value += tile[at + offset];
            tile[at] = value;
        }
    }
    return value;
}

__global__ void kernel(float* out) {
    __shared__ float tile[512];
    const float value = reduce_y(1, tile);
    __syncthreads();
    const float sum = reduce_x(value, tile);
    if (threadIdx.x == 0 && threadIdx.y == 0) *out = sum;
}

int main() {
    float* out = nullptr;
    cudaMalloc(&out, sizeof(float));
    cudaMemset(out, 0, sizeof(float));
    kernel<<<1, dim3(256, 2)>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
