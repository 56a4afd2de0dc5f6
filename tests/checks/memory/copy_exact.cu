// expect: none
// Copies to and from the device have the size of the allocation.
#include <cuda_runtime.h>

int main() {
    int host[100] = {}, *data = nullptr;
    cudaMalloc(&data, sizeof(host));
    cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(data);
    return 0;
}
