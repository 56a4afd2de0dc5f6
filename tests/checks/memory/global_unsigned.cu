// expect: memory global
// The unsigned index of the left neighbour wraps around and points 16 GiB away.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    const unsigned i = threadIdx.x;
    out[i] = in[i - 1u];  // <- fault
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 128 * sizeof(int));
    cudaMemset(in, 0, 128 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
