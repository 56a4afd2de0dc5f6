// expect: race shared
// Both threads of a pair write the smaller and the larger value into their own cells in one step.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = 127 - i;
    for (int step = 64; step > 0; step /= 2) {
        __syncthreads();
        const int other = tile[i ^ step];                              // <- fault
        tile[i] = (i & step) ? max(tile[i], other) : min(tile[i], other);  // <- fault
    }
    __syncthreads();
    data[i] = tile[i];
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(data);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
