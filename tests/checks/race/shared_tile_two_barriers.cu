// expect: none
// A product by tiles, with a barrier after the loads and another after the use.
#include <cuda_runtime.h>

constexpr int kTile = 16, kSize = 64;

__global__ void multiply(const float* a, const float* b, float* c) {
    __shared__ float left[kTile][kTile], right[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
    float sum = 0;
    for (int t = 0; t < kSize; t += kTile) {
        left[y][x] = a[row * kSize + t + x];
        right[y][x] = b[(t + y) * kSize + column];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * kSize + column] = sum;
}

int main() {
    float* a = nullptr;
    cudaMalloc(&a, 4096 * sizeof(float));
    cudaMemset(a, 0, 4096 * sizeof(float));
    float* b = nullptr;
    cudaMalloc(&b, 4096 * sizeof(float));
    cudaMemset(b, 0, 4096 * sizeof(float));
    float* c = nullptr;
    cudaMalloc(&c, 4096 * sizeof(float));
    cudaMemset(c, 0, 4096 * sizeof(float));
    multiply<<<dim3(4, 4), dim3(16, 16)>>>(a, b, c);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return done != cudaSuccess;
}
