// expect: none
// The lanes of the branch shuffle by a mask that a ballot before the branch computed.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    const int lane = threadIdx.x;
    int value = in[lane] + lane;
    const unsigned mask = __ballot_sync(~0u, lane < 16);
    if (lane < 16) value += __shfl_xor_sync(mask, value, 1);
    out[lane] = value;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
