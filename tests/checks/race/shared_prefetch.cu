// expect: race shared
// The prefetch writes the next buffer before the barrier that ends its last use.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    __shared__ int buffer[2][128];
    const int i = threadIdx.x;
    int sum = 0;
    buffer[0][i] = in[i];
    for (int step = 0; step < 8; ++step) {
        if (step < 7) buffer[(step + 1) % 2][i] = in[(step + 1) * 128 + i];  // <- fault
        sum += buffer[step % 2][127 - i];                                    // <- fault
        __syncthreads();
    }
    out[i] = sum;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 1024 * sizeof(int));
    cudaMemset(in, 0, 1024 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
