// expect: init global
// One member of a structure is never written, and a later kernel reads it.
#include <cuda_runtime.h>

struct Pair {
    int key, count;
};
__global__ void produce(Pair* pairs) { pairs[threadIdx.x].key = threadIdx.x; }
__global__ void consume(const Pair* pairs, int* out) {
    out[threadIdx.x] = pairs[threadIdx.x].count;  // <- fault
}

int main() {
    Pair* pairs = nullptr;
    cudaMalloc(&pairs, 64 * sizeof(Pair));
    int* out = nullptr;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    produce<<<1, 64>>>(pairs);
    consume<<<1, 64>>>(pairs, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(pairs);
    cudaFree(out);
    return done != cudaSuccess;
}
