// expect: none
// Tiles take branches of their own; all threads of a tile stay together.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int value = threadIdx.x;
    if (tile.meta_group_rank() % 2 == 0) {
        value = tile.shfl_xor(value, 1);
        tile.sync();
    }
    out[threadIdx.x] = value;
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
