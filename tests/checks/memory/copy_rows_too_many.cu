// expect: memory copy
// A copy of rows writes one row behind the allocation.
#include <cuda_runtime.h>

int main() {
    int host[20 * 11] = {}, *data = nullptr;
    cudaMalloc(&data, 20 * 10 * sizeof(int));
    cudaMemcpy2D(data, 80, host, 80, 80, 11, cudaMemcpyHostToDevice);  // <- fault
    cudaFree(data);
    return 0;
}
