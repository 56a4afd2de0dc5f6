// expect: sync mask
// The mask names all lanes, but half of them go around the shuffle and wait at another.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    int value = lane;
    if (lane < 16) {
        value = __shfl_xor_sync(0xffffffffu, value, 1);  // <- fault
        out[lane] = value;
    }
    value += __shfl_down_sync(0xffffffffu, value, 8);    // <- fault
    out[lane] = value;
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
