// expect: none
// A kernel allocates memory, uses it, and frees it.
#include <cuda_runtime.h>

__global__ void kernel(int* out) {
    int* own = static_cast<int*>(malloc(8 * sizeof(int)));
    for (int i = 0; i < 8; ++i) own[i] = i;
    out[threadIdx.x] = own[3];
    free(own);
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMemset(out, 0, 4 * sizeof(int));
    kernel<<<1, 4>>>(out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(out);
    return done != cudaSuccess;
}
