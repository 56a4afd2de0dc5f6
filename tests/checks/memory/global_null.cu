// expect: memory global
// The pointer is null, because the program does not allocate the memory.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    data[threadIdx.x] = 1;  // <- fault
}

int main() {
    int* data = nullptr;
    kernel<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    return 0;
}
