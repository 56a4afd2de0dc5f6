// expect: none
// The counter of an atomic addition was cleared by a copy from the host.
#include <cuda_runtime.h>

__global__ void kernel(int* counter) { atomicAdd(counter, 1); }

int main() {
    int *counter = nullptr, zero = 0;
    cudaMalloc(&counter, sizeof(int));
    cudaMemcpy(counter, &zero, sizeof(int), cudaMemcpyHostToDevice);
    kernel<<<2, 64>>>(counter);
    cudaMemcpy(&zero, counter, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(counter);
    return zero != 128;
}
