// expect: memory double-free
// A kernel frees its memory twice.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    int* own = static_cast<int*>(malloc(8 * sizeof(int)));
    own[0] = 1;
    out[0] = own[0];
    free(own);
    free(own);  // <- fault
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<1, 1>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
