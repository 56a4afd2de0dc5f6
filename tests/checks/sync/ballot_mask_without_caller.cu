// expect: sync mask
// The mask of a ballot names the even lanes, but odd ones call it too.
#include <cuda_runtime.h>

__global__ void kernel(const int* in, int* out) {
    const int lane = threadIdx.x;
    out[lane] = __popc(__ballot_sync(0x55555555u, in[lane] == 0));  // <- fault
}

int main() {
    int* in = nullptr;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(in, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return done != cudaSuccess;
}
