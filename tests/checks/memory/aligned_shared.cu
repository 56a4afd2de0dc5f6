// expect: none
// Doubles come first in dynamic shared memory, floats behind them.
#include <cuda_runtime.h>

extern __shared__ double memory[];

__global__ void kernel(int n, double* out) {
    auto* floats = reinterpret_cast<float*>(memory + n);
    const int i = threadIdx.x;
    memory[i] = i;
    floats[i] = i;
    out[i] = memory[i] + floats[i];
}

int main() {
    double* out = nullptr;
    cudaMalloc(&out, 16 * sizeof(double));
    cudaMemset(out, 0, 16 * sizeof(double));
    kernel<<<1, 16, 512>>>(33, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
