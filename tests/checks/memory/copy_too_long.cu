// expect: memory copy
// A copy to the device is longer than the allocation.
#include <cuda_runtime.h>

int main() {
    int host[200] = {}, *data = nullptr;
    cudaMalloc(&data, 100 * sizeof(int));
    cudaMemcpy(data, host, 200 * sizeof(int), cudaMemcpyHostToDevice);  // <- fault
    cudaFree(data);
    return 0;
}
