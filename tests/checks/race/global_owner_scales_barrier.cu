// expect: none
// The gradient of PyTorch's MultiMarginLoss.cu: after a reduction, thread 0 stores the element of the target, and then each
// thread scales its own elements, the target's among them, after a barrier.
#include <cuda_runtime.h>

__global__ void kernel(float* gradient, int count, int target, const float* factor) {
    __shared__ float sums[128];
    sums[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        if (i == target) continue;
        sums[threadIdx.x] -= 1;
        gradient[i] = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < blockDim.x; ++i) sum += sums[i];
        gradient[target] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) gradient[i] *= *factor;
}

int main() {
    const int count = 100;
    float* gradient = nullptr;
    cudaMalloc(&gradient, count * sizeof(float));
    cudaMemset(gradient, 0, count * sizeof(float));
    float* factor = nullptr;
    cudaMalloc(&factor, sizeof(float));
    cudaMemset(factor, 0, sizeof(float));
    kernel<<<1, 128>>>(gradient, count, 70, factor);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(gradient);
    cudaFree(factor);
    return done != cudaSuccess;
}
