// expect: none
// The block has fewer threads than the tile has cells; the sum reads written cells only.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < blockDim.x; ++i) sum += tile[i];
        *out = sum;
    }
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 48 * sizeof(int));
    cudaMemset(in, 0, 48 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    kernel<<<1, 48>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
