// expect: none
// Tiles of 8 threads wait for themselves and exchange values in their own part of shared memory.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    __shared__ int cells[128];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int i = threadIdx.x;
    cells[i] = i;
    tile.sync();
    out[i] = cells[i ^ 7];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
