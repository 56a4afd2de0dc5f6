// expect: memory double-free
// The host frees the same memory twice.
#include <cuda_runtime.h>

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaFree(data);
    cudaFree(data);  // <- fault
    return 0;
}
