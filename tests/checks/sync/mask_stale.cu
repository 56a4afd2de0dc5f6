// expect: sync mask
// The mask is taken before the branch, so it names lanes that do not come.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    const unsigned mask = __activemask();
    int value = lane;
    if (lane % 4 == 0) {
        value = __shfl_sync(mask, value, 0);  // <- fault
        out[lane] = value;
    }
    __syncwarp();
    out[lane] += 1;
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
