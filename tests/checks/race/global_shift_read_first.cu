// expect: none
// A shift in place: all threads read, wait, and then write.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    const int i = threadIdx.x;
    const int next = i < 127 ? data[i + 1] : 0;
    __syncthreads();
    data[i] = next;
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
