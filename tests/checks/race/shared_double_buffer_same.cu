// expect: race shared
// The buffer index is always 0: a step writes the buffer that slower threads still read in the step before.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    __shared__ int buffer[2][128];
    const int i = threadIdx.x;
    int sum = 0;
    for (int step = 0; step < 8; ++step) {
        int* now = buffer[step % 1];
        now[i] = in[step * 128 + i];  // <- fault
        __syncthreads();
        sum += now[127 - i];          // <- fault
    }
    out[i] = sum;
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 1024 * sizeof(int));
    cudaMemset(in, 0, 1024 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(out, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
