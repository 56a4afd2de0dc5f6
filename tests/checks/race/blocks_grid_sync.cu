// expect: none
// A cooperative grid writes, waits for all blocks, and reads what other blocks wrote.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void kernel(int* data, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;
    cooperative_groups::this_grid().sync();
    out[i] = data[255 - i];
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 256 * sizeof(int));
    cudaMemset(data, 0, 256 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(out, 0, 256 * sizeof(int));
    void* arguments[] = {&data, &out};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), dim3(4), dim3(64), arguments, 0, nullptr);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
