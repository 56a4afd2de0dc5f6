// expect: sync mask
// A lane reads the value of a lane that does not take part in the shuffle.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        out[lane] = __shfl_sync(0x0000ffffu, lane, lane + 16);  // <- fault
    }
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
