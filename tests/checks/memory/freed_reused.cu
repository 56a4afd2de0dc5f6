// expect: memory freed
// Memory was freed and its size allocated again; the kernel uses the old pointer too.
#include <cuda_runtime.h>

__global__ void kernel(int* old, int* now) {
    now[threadIdx.x] = 1;
    old[threadIdx.x + 512] = 2;  // <- fault
}

int main() {
    int *old = nullptr, *now = nullptr;
    cudaMalloc(&old, 4096);
    cudaFree(old);
    cudaMalloc(&now, 2048);
    kernel<<<1, 64>>>(old, now);
    cudaDeviceSynchronize();
    cudaFree(now);
    return 0;
}
