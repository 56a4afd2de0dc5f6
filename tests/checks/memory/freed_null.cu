// expect: none
// Freeing a null pointer is permitted.
#include <cuda_runtime.h>

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaFree(data);
    data = nullptr;
    cudaFree(data);
    return 0;
}
