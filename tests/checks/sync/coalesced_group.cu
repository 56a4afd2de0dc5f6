// expect: none
// The group of the lanes that are in the branch shuffles among itself.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    int value = lane;
    if (lane % 4 == 0) {
        const auto active = cg::coalesced_threads();
        value = active.shfl(value, 0);
        active.sync();
    }
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
