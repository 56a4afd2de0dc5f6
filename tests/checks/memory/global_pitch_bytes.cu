// expect: none
// Rows of pitched memory are addressed in bytes.
#include <cuda_runtime.h>

__global__ void kernel(char* data, size_t pitch) {
    reinterpret_cast<int*>(data + threadIdx.y * pitch)[threadIdx.x] = 1;
}

int main() {
    char* data = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&data, &pitch, 20 * sizeof(int), 16);
    kernel<<<1, dim3(20, 16)>>>(data, pitch);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
