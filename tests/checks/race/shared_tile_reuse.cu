// expect: race shared
// The next tile is loaded while other warps still read the last one: the second barrier is missing.
#include <cuda_runtime.h>

constexpr int kTile = 16, kSize = 64;

__global__ void multiply(const float* a, const float* b, float* c) {
    __shared__ float left[kTile][kTile], right[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
    float sum = 0;
    for (int t = 0; t < kSize; t += kTile) {
        left[y][x] = a[row * kSize + t + x];        // <- fault
        right[y][x] = b[(t + y) * kSize + column];  // <- fault
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += left[y][k] * right[k][x];  // <- fault
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
