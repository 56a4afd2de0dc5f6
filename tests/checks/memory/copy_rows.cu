// expect: none
// A copy of rows with a pitch ends inside the last row.
#include <cuda_runtime.h>

int main() {
    int host[20 * 10] = {}, *data = nullptr;
    cudaMalloc(&data, (9 * 25 + 20) * sizeof(int));
    cudaMemcpy2D(data, 100, host, 80, 80, 10, cudaMemcpyHostToDevice);
    cudaFree(data);
    return 0;
}
