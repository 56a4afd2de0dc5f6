// expect: race host
// The host writes pinned memory that a running kernel reads.
#include <cuda_runtime.h>

__global__ void copy(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <- fault
}

int main() {
    int *data = nullptr, *out = nullptr;
    cudaMallocHost(&data, 128 * sizeof(int));
    cudaMalloc(&out, 128 * sizeof(int));
    for (int i = 0; i < 128; ++i) data[i] = i;
    copy<<<1, 128>>>(data, out);
    data[7] = -1;  // <- fault
    cudaDeviceSynchronize();
    cudaFreeHost(data);
    cudaFree(out);
    return 0;
}
