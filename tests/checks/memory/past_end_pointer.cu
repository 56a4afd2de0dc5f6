// expect: none
// A pointer past the end is computed and compared, but never read.
#include <cuda_runtime.h>

__global__ void kernel(const int* begin, const int* end, int* out) {
    int sum = 0;
    for (const int* at = begin + threadIdx.x; at < end; at += blockDim.x) sum += *at;
    out[threadIdx.x] = sum;
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 100 * sizeof(int));
    cudaMemset(data, 0, 100 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(data, data + 100, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
