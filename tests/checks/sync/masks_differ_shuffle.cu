// expect: sync mask
// Half of the lanes names the whole warp in the mask of a shuffle, the other half names only itself.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    const unsigned mask = lane < 16 ? 0xffffffffu : 0xffff0000u;
    out[lane] = __shfl_xor_sync(mask, lane, 1);  // <- fault
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 32>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
