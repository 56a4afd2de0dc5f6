// expect: none
// A flag of libcu++ with release and acquire orders the data.
#include <cuda/atomic>
#include <cuda_runtime.h>

__global__ void kernel(int* flag, int* data, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) __nanosleep(100);
        *out = *data;
    }
}

int main() {
    int* flag = nullptr;
    cudaMalloc(&flag, 1 * sizeof(int));
    cudaMemset(flag, 0, 1 * sizeof(int));
    int* data = nullptr;
    cudaMalloc(&data, 1 * sizeof(int));
    cudaMemset(data, 0, 1 * sizeof(int));
    int* out = nullptr;
    cudaMalloc(&out, 1 * sizeof(int));
    cudaMemset(out, 0, 1 * sizeof(int));
    kernel<<<2, 1>>>(flag, data, out);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(flag);
    cudaFree(data);
    cudaFree(out);
    return done != cudaSuccess;
}
