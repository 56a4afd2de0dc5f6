// expect: race shared
// The tile is read transposed without a barrier after its rows were written.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    __shared__ int tile[16][17];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 16 + x];  // <- fault
    out[y * 16 + x] = tile[x][y]; // <- fault
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 256 * sizeof(int));
    cudaMemset(in, 0, 256 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(out, 0, 256 * sizeof(int));
    kernel<<<1, dim3(16, 16)>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
