// expect: memory freed
// The kernel is launched after its memory was freed.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    data[threadIdx.x] = 1;  // <- fault
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    kernel<<<1, 64>>>(data);
    cudaFree(data);
    kernel<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    return 0;
}
