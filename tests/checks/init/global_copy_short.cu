// expect: init global
// The copy from the host gets the number of elements as the number of bytes.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // <- fault
}

int main() {
    int host[64] = {}, *in = nullptr, *out = nullptr;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, 64, cudaMemcpyHostToDevice);
    kernel<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
