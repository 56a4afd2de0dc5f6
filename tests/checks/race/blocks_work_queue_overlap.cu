// expect: race blocks
// Each item updates its right neighbour too, which another block owns.
#include <cuda_runtime.h>

__global__ void kernel(int* cursor, int* items) {
    for (;;) {
        const int mine = atomicAdd(cursor, 1);
        if (mine >= 255) return;
        items[mine] += mine;      // <- fault
        items[mine + 1] += mine;  // <- fault
    }
}

int main() {
    int* cursor = nullptr;
    cudaMalloc(&cursor, 1 * sizeof(int));
    cudaMemset(cursor, 0, 1 * sizeof(int));
    int* items = nullptr;
    cudaMalloc(&items, 256 * sizeof(int));
    cudaMemset(items, 0, 256 * sizeof(int));
    kernel<<<4, 32>>>(cursor, items);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(cursor);
    cudaFree(items);
    return done != cudaSuccess;
}
