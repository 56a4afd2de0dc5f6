// expect: none
// Rows were copied to pitched memory, and the kernel reads no padding.
#include <cuda_runtime.h>

__global__ void kernel(const char* data, size_t pitch, int* out) {
    int sum = 0;
    for (int i = 0; i < 20; ++i) {
        sum += reinterpret_cast<const int*>(data + threadIdx.x * pitch)[i];
    }
    out[threadIdx.x] = sum;
}

int main() {
    int host[8 * 20] = {}, *out = nullptr;
    char* data = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&data, &pitch, 80, 8);
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMemcpy2D(data, pitch, host, 80, 80, 8, cudaMemcpyHostToDevice);
    kernel<<<1, 8>>>(data, pitch, out);
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return 0;
}
