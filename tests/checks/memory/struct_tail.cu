// expect: none
// A structure of 12 bytes lies at the very end of an allocation.
#include <cuda_runtime.h>

struct Point {
    float x, y, z;
};

__global__ void kernel(Point* points) {
    Point point = points[threadIdx.x];
    point.x += 1;
    points[threadIdx.x] = point;
}

int main() {
    Point* points = nullptr;
    cudaMalloc(&points, 33 * sizeof(Point));
    cudaMemset(points, 0, 33 * sizeof(Point));
    kernel<<<1, 33>>>(points);
    const cudaError_t done = cudaDeviceSynchronize();
    cudaFree(points);
    return done != cudaSuccess;
}
