// expect: host device-memory
// The host fills the input of a kernel in memory of the device.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
    int *in = nullptr, *out = nullptr;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) in[i] = i;  // <- fault
    kernel<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
