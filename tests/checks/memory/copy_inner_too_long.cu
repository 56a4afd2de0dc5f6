// expect: memory copy
// A copy starts inside an allocation and ends behind it.
#include <cuda_runtime.h>

int main() {
    int host[100] = {}, *data = nullptr;
    cudaMalloc(&data, sizeof(host));
    cudaMemset(data, 0, sizeof(host));
    cudaMemcpy(host, data + 50, sizeof(host), cudaMemcpyDeviceToHost);  // <- fault
    cudaFree(data);
    return 0;
}
