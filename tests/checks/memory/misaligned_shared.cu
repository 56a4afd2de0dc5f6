// expect: memory misaligned
// A double in shared memory lies behind an odd number of floats.
#include <cuda_runtime.h>

extern __shared__ float memory[];

__global__ void kernel(int n, double* out) {
    auto* sums = reinterpret_cast<double*>(memory + n);
    sums[threadIdx.x] = threadIdx.x;  // <- fault
    out[threadIdx.x] = sums[threadIdx.x];
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
