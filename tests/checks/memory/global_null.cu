// expect: memory global
// The pointer is null, for the allocation was forgotten.
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
