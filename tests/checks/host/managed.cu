// expect: none
// The host fills the input of a kernel in managed memory and reads the output after a wait.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
    int *in = nullptr, *out = nullptr;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) in[i] = i;
    kernel<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    const int value = out[5];
    cudaFree(in);
    cudaFree(out);
    return value != 5;
}
