// expect: none
// Two groups of lanes call the same shuffle with masks that do not overlap.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    const unsigned mask = lane % 2 ? 0xaaaaaaaau : 0x55555555u;
    out[lane] = __shfl_xor_sync(mask, lane, 2);
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
