// expect: memory global
// The pitch in bytes is used as a count of elements.
#include <cuda_runtime.h>

__global__ void kernel(int* data, size_t pitch) {
    data[threadIdx.y * pitch + threadIdx.x] = 1;  // <- fault
}

int main() {
    int* data = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&data, &pitch, 20 * sizeof(int), 16);
    kernel<<<1, dim3(20, 16)>>>(data, pitch);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
