// expect: memory freed
// A copy reads memory that was freed.
#include <cuda_runtime.h>

int main() {
    int host[100] = {}, *data = nullptr;
    cudaMalloc(&data, sizeof(host));
    cudaMemset(data, 0, sizeof(host));
    cudaFree(data);
    cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost);  // <- fault
    return 0;
}
