// expect: race shared
// The reduction of PyTorch's Reduce.cuh: over y in shared memory, then over x in the same memory. After the last step over
// y, threads of row 1 store their values for the reduction over x while threads of row 0 still read row 1.
#include <cuda_runtime.h>

__device__ float reduce_y(float value, float* tile) {
    const int at = threadIdx.y * blockDim.x + threadIdx.x;
    tile[at] = value;
    for (int offset = blockDim.y / 2; offset > 0; offset /= 2) {
        __syncthreads();
        if (threadIdx.y < offset) {
            value += tile[at + offset * blockDim.x];  // <- fault
            tile[at] = value;
        }
    }
    return value;
}

__device__ float reduce_x(float value, float* tile) {
    const int at = threadIdx.y * blockDim.x + threadIdx.x;
    tile[at] = value;  // <- fault
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
    const float sum = reduce_x(reduce_y(1, tile), tile);
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
