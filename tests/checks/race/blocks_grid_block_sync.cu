// expect: race blocks
// The cooperative grid waits for the block only, where it should wait for the grid.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void kernel(int* data, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;             // <- fault
    cooperative_groups::this_thread_block().sync();
    out[i] = data[255 - i];  // <- fault
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
