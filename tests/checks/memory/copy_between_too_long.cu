// expect: memory copy
// A copy between two allocations is longer than the source.
#include <cuda_runtime.h>

int main() {
    int *from = nullptr, *to = nullptr;
    cudaMalloc(&from, 100 * sizeof(int));
    cudaMalloc(&to, 200 * sizeof(int));
    cudaMemset(from, 0, 100 * sizeof(int));
    cudaMemcpy(to, from, 200 * sizeof(int), cudaMemcpyDeviceToDevice);  // <- fault
    cudaFree(from);
    cudaFree(to);
    return 0;
}
