// expect: memory copy
// A memset is longer than the allocation.
#include <cuda_runtime.h>

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 100 * sizeof(int));
    cudaMemset(data, 0, 101 * sizeof(int));  // <- fault
    cudaFree(data);
    return 0;
}
