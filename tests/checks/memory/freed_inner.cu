// expect: memory invalid-free
// The host frees an address inside an allocation.
#include <cuda_runtime.h>

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaFree(data + 4);  // <- fault
    cudaFree(data);
    return 0;
}
