// expect: sync mask
// Only half of a tile's threads call the tile's sync, the others its shuffle.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int value = threadIdx.x;
    if (tile.thread_rank() < 8) {
        tile.sync();                       // <- fault
        out[threadIdx.x] = 1;
    }
    value = tile.shfl_xor(value, 1);       // <- fault
    out[threadIdx.x] += value;
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
