// expect: none
// The host waits for an event after the kernel before it writes pinned memory again.
#include <cuda_runtime.h>

__global__ void copy(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }

int main() {
    int *data = nullptr, *out = nullptr;
    cudaEvent_t done;
    cudaEventCreate(&done);
    cudaMallocHost(&data, 128 * sizeof(int));
    cudaMalloc(&out, 128 * sizeof(int));
    for (int i = 0; i < 128; ++i) data[i] = i;
    copy<<<1, 128>>>(data, out);
    cudaEventRecord(done);
    cudaEventSynchronize(done);
    data[7] = -1;
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaFreeHost(data);
    cudaFree(out);
    return 0;
}
