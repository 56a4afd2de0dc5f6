// expect: sync divergent
// The block's group waits in a branch that some threads do not take.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    const auto block = cg::this_thread_block();
    const int i = threadIdx.x;
    if (i < 32) {
        out[i] = 1;
        block.sync();  // <- fault
    }
    out[i] += 1;
    block.sync();
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
