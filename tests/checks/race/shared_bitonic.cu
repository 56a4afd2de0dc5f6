// expect: none
// A bitonic sort: the two threads of a pair do not touch the same pair in one step.
#include <cuda_runtime.h>

__global__ void kernel(int* data) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = data[i];
    for (int size = 2; size <= 128; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            const int other = i ^ step;
            if (other > i && (tile[i] > tile[other]) == ((i & size) == 0)) {
                const int kept = tile[i];
                tile[i] = tile[other];
                tile[other] = kept;
            }
        }
    }
    __syncthreads();
    data[i] = tile[i];
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    kernel<<<1, 128>>>(data);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(data);
    return done != cudaSuccess;
}
